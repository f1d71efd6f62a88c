//! Events through the `tracing` facade (feature `tracing`); without the feature they cost nothing. Keys appear,
//! payloads never.

#![cfg_attr(
    not(feature = "tracing"),
    allow(unused_variables, reason = "without the feature nothing is told")
)]

use crate::error::Error;
use crate::key::IdempotencyKey;
use crate::protocol::attempt::Held;
use crate::report::Disposition;
use crate::store_error::StoreError;
use crate::write::Written;

macro_rules! event {
    ($level:ident, $($rest:tt)+) => {
        #[cfg(feature = "tracing")]
        tracing::$level!(target: "idempotency", $($rest)+);
    };
}

pub(crate) fn claimed(operation: &str, key: &IdempotencyKey, held: &Held) {
    event!(
        debug,
        operation,
        %key,
        attempt = held.attempt,
        epoch = held.epoch.get(),
        previous = ?held.previous,
        "claimed"
    );
}

pub(crate) fn replayed(operation: &str, key: &IdempotencyKey) {
    event!(debug, operation, %key, "replayed");
}

pub(crate) fn renewed(operation: &str, key: &IdempotencyKey, answer: &Result<Written, StoreError>) {
    match answer {
        Ok(Written::Applied { lease_until }) => {
            event!(debug, operation, %key, %lease_until, "renewed");
        }
        Ok(_) => {
            event!(warn, operation, %key, "lease lost: the renewal was refused");
        }
        Err(error) => {
            event!(warn, operation, %key, %error, "the renewal failed");
        }
    }
}

pub(crate) fn write_failed(operation: &str, key: &IdempotencyKey, error: &StoreError) {
    event!(error, operation, %key, %error, "the store failed");
}

pub(crate) fn fenced(operation: &str, key: &IdempotencyKey) {
    event!(warn, operation, %key, "fenced: a late outcome was refused");
}

pub(crate) fn ended(operation: &str, key: &IdempotencyKey, disposition: Disposition) {
    if disposition == (Disposition::Observed { duplicate: true }) {
        event!(warn, operation, %key, "observed a duplicate");
    } else {
        event!(debug, operation, %key, ?disposition, "ended");
    }
}

pub(crate) fn dropped(operation: &str, key: &IdempotencyKey) {
    event!(warn, operation, %key, "dropped: the caller went away while the body ran; the key is free after its lease");
}

pub(crate) fn not_kept(operation: &str, key: &IdempotencyKey) {
    event!(warn, operation, %key, "completed, but the value was too large for the store or could not be carried back");
}

pub(crate) fn volatile(operation: &str, field: &str) {
    event!(
        warn,
        operation,
        field,
        "the fingerprint includes a field that looks as if it changed with every request"
    );
}

pub(crate) fn refused(error: &Error) {
    event!(warn, operation = error.operation(), kind = ?error.kind(), %error, "refused");
}
