//! The expansion causes no warning in the user's code, whatever is denied there.
#![cfg(feature = "memory")]
#![deny(
    warnings,
    missing_docs,
    unused_qualifications,
    unreachable_pub,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unused_lifetimes,
    unused_results,
    let_underscore_drop,
    missing_debug_implementations,
    non_ascii_idents,
    rust_2018_idioms,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::shadow_unrelated,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::absolute_paths,
    clippy::as_conversions,
    clippy::default_numeric_fallback,
    clippy::implicit_return,
    clippy::question_mark_used,
    clippy::pattern_type_mismatch,
    clippy::single_call_fn,
    clippy::arithmetic_side_effects
)]
// These two contradict each other, and clippy itself in the user's own lines.
#![allow(clippy::implicit_return, clippy::single_call_fn, clippy::question_mark_used)]

use std::collections::HashMap;
use std::convert::identity;
use std::future::ready;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use idempotency::store::MemoryStore;
use idempotency::{
    Classify, CodecError, Error, ErrorClass, JsonCodec, KeyPart, OldValue, Reconciled, UnknownOutcome,
    idempotent, with_store,
};
use serde::{Deserialize, Serialize};

const ABOUT_TEN_MINUTES: Duration = Duration::from_millis(600_123);

#[derive(Debug, Clone, KeyPart)]
struct Tenant(String);

#[derive(Debug, Clone, Copy, KeyPart)]
enum Region {
    Eu,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Body {
    amount: u64,
    sent_at: u64,
    email: Option<String>,
}

#[derive(Debug)]
struct Service {
    store: MemoryStore,
    tenant: Tenant,
}

impl Service {
    #[idempotent(
        key = "self.tenant + op + no + region + 'eu' + lower(trim(body.email?)) + headers['k']",
        validate = "body - body.sent_at",
        ignore(headers, deadline),
        allow(personal-data, reason = "this is about the code around the body"),
        ttl = "7d",
        lease = "1h",
        deadline = deadline,
        in_progress = wait("5s"),
        completed = replay,
        replayed = identity,
        mode = protect,
        store = self.store
    )]
    async fn create(
        &self,
        no: u64,
        region: Region,
        mut body: Body,
        headers: &HashMap<String, String>,
        deadline: SystemTime,
    ) -> Result<Body, Error> {
        if headers.is_empty() {
            return Ok(body);
        }
        body.amount = body.amount.saturating_add(no);
        Ok(body)
    }

    #[idempotent(key = self.tenant + no, ttl = "1d", store = self.store)]
    async fn one_line(&self, no: u64) -> Result<u64, Error> {
        Ok(no)
    }
}

#[derive(Debug, thiserror::Error, Serialize, Deserialize, Classify)]
#[retryable]
enum ChargeError {
    #[error("declined: {reason}")]
    #[terminal]
    Declined { reason: String },
    #[error("lost")]
    #[unknown]
    Lost,
    #[error("down: {0}")]
    Down(u16),
    #[error(transparent)]
    #[serde(skip)]
    #[inner]
    Idempotency(#[from] Error),
}

#[derive(Debug, Classify)]
#[terminal]
#[derive(Serialize, Deserialize)]
struct Refused;

fn upgrade(old: OldValue<'_>) -> Result<u64, CodecError> {
    old.json()
}

impl Service {
    #[idempotent(
        key = self.tenant + no,
        ttl = "1d",
        op = "charge",
        on_crash = hold,
        on_expired = reject,
        tombstone = "2d",
        on_store_error = run,
        version = 2,
        migrate = upgrade,
        codec = JsonCodec,
        reconcile = self.find,
        store = self.store
    )]
    async fn charge(&self, no: u64) -> Result<u64, ChargeError> {
        match no {
            0 => Err(ChargeError::Declined { reason: "none".to_owned() }),
            1 => Err(ChargeError::Lost),
            2 => Err(ChargeError::Down(503)),
            _ => Ok(no),
        }
    }

    async fn find(&self, unknown: UnknownOutcome) -> Result<Reconciled<u64>, ChargeError> {
        drop(ready(unknown).await);
        Ok(Reconciled::StillUnknown)
    }
}

#[idempotent(key = "no", ttl = "1d", detached, reconcile = |unknown| async { drop(unknown); Ok(Reconciled::NotApplied) })]
async fn detached(no: u64) -> Result<u64, ChargeError> {
    Ok(no)
}

#[async_trait]
trait Handle {
    async fn handle(&self, pair: (u64, String)) -> Result<u64, Error>;
}

#[async_trait]
impl Handle for Service {
    #[idempotent(key = "self.tenant + no + name", ttl = "1d", store = self.store)]
    async fn handle(&self, (no, name): (u64, String)) -> Result<u64, Error> {
        drop(name);
        Ok(no)
    }
}

#[tokio::test]
async fn expansions_are_clean() {
    let service = Service { store: MemoryStore::new(), tenant: Tenant("t".to_owned()) };
    let body = Body { amount: 1, sent_at: 2, email: Some("a@b".to_owned()) };
    let headers = HashMap::from([("k".to_owned(), "v".to_owned())]);
    let deadline = SystemTime::now().checked_add(ABOUT_TEN_MINUTES).unwrap_or(SystemTime::UNIX_EPOCH);
    let created = service.create(7, Region::Eu, body, &headers, deadline).await;
    assert_eq!(created.map(|answer| answer.amount).ok(), Some(8));
    assert_eq!(service.one_line(7).await.ok(), Some(7));
    assert_eq!(service.handle((7, "n".to_owned())).await.ok(), Some(7));
    assert_eq!(service.charge(7).await.ok(), Some(7));
    assert!(matches!(service.charge(2).await, Err(ChargeError::Down(503))));
    assert_eq!(Refused.class(), ErrorClass::Terminal);
    assert_eq!(with_store(MemoryStore::new(), detached(7)).await.ok(), Some(7));
    assert!(with_store(MemoryStore::new(), service.one_line(8)).await.is_ok());
}
