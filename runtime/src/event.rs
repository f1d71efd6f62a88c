//! What happened to one call, as it happens: one event for every decision.

use std::fmt;
use std::sync::Arc;

use crate::claim::Previous;
use crate::error::ErrorKind;
use crate::key::IdempotencyKey;
use crate::record::{Epoch, Status};
use crate::store_error::StoreError;
use crate::time::Timestamp;

/// One decision about one call of an operation. It names the operation and the key, never a payload.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CallEvent<'a> {
    /// The name of the operation.
    pub operation: &'a str,
    /// The key; `None` if it could not be built.
    pub key: Option<&'a IdempotencyKey>,
    /// What was decided.
    pub decision: Decision<'a>,
}

/// What was decided; see [`Decision::name`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Decision<'a> {
    /// In observe mode: the body ran, whatever the record says.
    Observed {
        /// Whether *protect* would not have run it.
        duplicate: bool,
    },
    /// This call owns the key and runs the body.
    Claimed {
        /// The number of the attempt, from 1.
        attempt: u32,
        /// The fencing token.
        epoch: Epoch,
        /// What the claim was granted over.
        previous: Previous,
    },
    /// The same, over an owner that died.
    TakenOver {
        /// The number of the attempt.
        attempt: u32,
        /// The fencing token.
        epoch: Epoch,
    },
    /// A duplicate was answered from the record.
    Replayed {
        /// Completed or failed.
        status: Status,
        /// The number of the attempt that finished.
        attempt: u32,
        /// The fencing token of that attempt.
        epoch: Epoch,
    },
    /// The call waited for another owner, here or in another process, and now knows more.
    Waited,
    /// Another call with this key is running.
    InProgress {
        /// When it claimed.
        since: Timestamp,
        /// Until when its claim is honoured without renewal.
        until: Timestamp,
    },
    /// The key was used for another request.
    Mismatch {
        /// When that request claimed.
        since: Timestamp,
    },
    /// The operation is finished, and the caller asked not to get its outcome again.
    AlreadyCompleted,
    /// The lease was extended.
    Renewed {
        /// Its new end.
        until: Timestamp,
    },
    /// The body says that an irreversible effect begins.
    Announced,
    /// The owner lost its claim: it was refused, or could not be renewed in time. The body was stopped.
    LeaseLost,
    /// A late outcome was refused, since another owner had taken over or the record was removed.
    Fenced,
    /// The outcome is recorded.
    Completed,
    /// The outcome is recorded without the value, which was too large or could not be carried back.
    NotKept,
    /// The body failed; the next call runs it again.
    Released,
    /// The body failed for good, and its error is recorded.
    Failed,
    /// The body panicked.
    Panicked,
    /// Nobody knows whether the effect happened; told when it is recorded and to every duplicate that asks.
    Unknown {
        /// When the attempt was claimed whose outcome is unknown.
        since: Timestamp,
    },
    /// It was found out what became of an unknown outcome.
    Reconciled {
        /// Whether the attempt had an outcome, so that the body does not run again.
        applied: bool,
        /// Whether a person said so, through the store handle.
        by_hand: bool,
    },
    /// The outcome is past its TTL, and the operation rejects such calls.
    Expired {
        /// When the outcome stopped being replayed.
        since: Timestamp,
    },
    /// The store failed.
    StoreFailed {
        /// How.
        error: &'a StoreError,
    },
    /// The body ran without protection, since the store failed and the operation runs nevertheless, or the handle is
    /// disabled.
    RanUnprotected,
    /// The caller went away while the body ran; the key is free after its lease.
    Dropped,
    /// The call was refused for another reason.
    Refused {
        /// Which.
        kind: ErrorKind,
    },
    /// The comparison of requests includes a field that looks as if it changed with every try; told once per
    /// operation.
    VolatileField {
        /// Its name.
        field: &'a str,
    },
    /// A person released the key, through the store handle.
    ReleasedByHand,
    /// A person removed the record, through the store handle.
    Evicted,
    /// A person recorded an outcome of work that was done before, through the store handle.
    MarkedCompleted,
}

impl Decision<'_> {
    /// All words that [`Decision::name`] gives.
    pub const NAMES: &'static [&'static str] = &[
        "observed",
        "claimed",
        "taken_over",
        "replayed",
        "waited",
        "in_progress",
        "mismatch",
        "already_completed",
        "renewed",
        "announced",
        "lease_lost",
        "fenced",
        "completed",
        "not_kept",
        "released",
        "failed",
        "panicked",
        "unknown",
        "reconciled",
        "expired",
        "store_failed",
        "ran_unprotected",
        "dropped",
        "refused",
        "volatile_field",
        "released_by_hand",
        "evicted",
        "marked_completed",
    ];

    /// The word for the decision, as it stands in the names of events and in the label `idempotency.decision` of the
    /// counter.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Observed { .. } => "observed",
            Self::Claimed { .. } => "claimed",
            Self::TakenOver { .. } => "taken_over",
            Self::Replayed { .. } => "replayed",
            Self::Waited => "waited",
            Self::InProgress { .. } => "in_progress",
            Self::Mismatch { .. } => "mismatch",
            Self::AlreadyCompleted => "already_completed",
            Self::Renewed { .. } => "renewed",
            Self::Announced => "announced",
            Self::LeaseLost => "lease_lost",
            Self::Fenced => "fenced",
            Self::Completed => "completed",
            Self::NotKept => "not_kept",
            Self::Released => "released",
            Self::Failed => "failed",
            Self::Panicked => "panicked",
            Self::Unknown { .. } => "unknown",
            Self::Reconciled { .. } => "reconciled",
            Self::Expired { .. } => "expired",
            Self::StoreFailed { .. } => "store_failed",
            Self::RanUnprotected => "ran_unprotected",
            Self::Dropped => "dropped",
            Self::Refused { .. } => "refused",
            Self::VolatileField { .. } => "volatile_field",
            Self::ReleasedByHand => "released_by_hand",
            Self::Evicted => "evicted",
            Self::MarkedCompleted => "marked_completed",
        }
    }
}

/// Listens to the decisions about all calls that use a store handle; see
/// [`AnyStore::with_observer`](crate::AnyStore::with_observer).
///
/// It is called inside the call, and must neither block nor panic.
pub trait Observer: fmt::Debug + Send + Sync + 'static {
    /// A decision was made.
    fn observe(&self, event: &CallEvent<'_>);
}

/// For one that somebody else holds too, such as a test that counts.
impl<O: Observer + ?Sized> Observer for Arc<O> {
    fn observe(&self, event: &CallEvent<'_>) {
        O::observe(self, event);
    }
}
