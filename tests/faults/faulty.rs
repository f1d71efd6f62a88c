//! A memory store whose next calls fail as a test scripts it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use idempotency::store::MemoryStore;
use idempotency::{
    Capabilities, Change, Claim, ClaimRequest, Durability, Evict, IdempotencyKey, ListRequest, OwnerWrite,
    Record, Store, StoreError, StoreErrorKind, Written,
};

/// What happens to one call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// It is applied and answered.
    None,
    /// It is not applied, and answered with this error.
    Refused(StoreErrorKind),
    /// It is applied, and its answer is lost.
    AnswerLost,
    /// It is not applied, and there is never an answer.
    Hangs,
    /// It is applied, and there is never an answer.
    HangsApplied,
    /// It is applied twice, as by a client that repeats it, and the second answer arrives.
    Twice,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Faulty {
    pub(crate) inner: MemoryStore,
    script: Arc<Mutex<Script>>,
    /// The identity, where it is not that of the memory.
    place: Option<Arc<str>>,
}

#[derive(Debug, Default)]
struct Script {
    claims: VecDeque<Fault>,
    renewals: VecDeque<Fault>,
    outcomes: VecDeque<Fault>,
    counts: Counts,
    max_value_bytes: Option<usize>,
    may_lose: bool,
}

/// How often each verb was called.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) claims: usize,
    pub(crate) renewals: usize,
    pub(crate) outcomes: usize,
}

impl Faulty {
    /// The same records, as another process sees them: what it knows of running bodies is in the records alone.
    pub(crate) fn elsewhere(&self) -> Self {
        let place = format!("{} elsewhere", self.inner.identity());
        Self { place: Some(place.into()), ..self.clone() }
    }

    pub(crate) fn on_claims(&self, faults: impl IntoIterator<Item = Fault>) {
        self.script.lock().unwrap().claims.extend(faults);
    }

    pub(crate) fn on_renewals(&self, faults: impl IntoIterator<Item = Fault>) {
        self.script.lock().unwrap().renewals.extend(faults);
    }

    pub(crate) fn on_outcomes(&self, faults: impl IntoIterator<Item = Fault>) {
        self.script.lock().unwrap().outcomes.extend(faults);
    }

    pub(crate) fn limit_values(&self, bytes: usize) {
        self.script.lock().unwrap().max_value_bytes = Some(bytes);
    }

    pub(crate) fn may_lose_acknowledged(&self) {
        self.script.lock().unwrap().may_lose = true;
    }

    pub(crate) fn counts(&self) -> Counts {
        self.script.lock().unwrap().counts
    }
}

fn lost(kind: StoreErrorKind) -> StoreError {
    StoreError::new(kind, "scripted fault")
}

async fn with_fault<T, F>(fault: Fault, call: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    match fault {
        Fault::None => call().await,
        Fault::Refused(kind) => Err(lost(kind)),
        Fault::Hangs => std::future::pending().await,
        Fault::Twice => {
            call().await?;
            call().await
        }
        Fault::HangsApplied => {
            call().await?;
            std::future::pending().await
        }
        Fault::AnswerLost => {
            call().await?;
            Err(lost(StoreErrorKind::Unavailable))
        }
    }
}

impl Store for Faulty {
    async fn claim(&self, request: ClaimRequest) -> Result<Claim, StoreError> {
        let fault = {
            let mut script = self.script.lock().unwrap();
            script.counts.claims += 1;
            script.claims.pop_front().unwrap_or(Fault::None)
        };
        with_fault(fault, || self.inner.claim(request.clone())).await
    }

    async fn write(&self, request: OwnerWrite) -> Result<Written, StoreError> {
        let fault = {
            let mut script = self.script.lock().unwrap();
            if matches!(request.change, Change::Renew { .. }) {
                script.counts.renewals += 1;
                script.renewals.pop_front()
            } else {
                script.counts.outcomes += 1;
                script.outcomes.pop_front()
            }
        };
        with_fault(fault.unwrap_or(Fault::None), || self.inner.write(request.clone())).await
    }

    async fn inspect(&self, key: &IdempotencyKey) -> Result<Option<Record>, StoreError> {
        self.inner.inspect(key).await
    }

    async fn evict(&self, request: Evict) -> Result<bool, StoreError> {
        self.inner.evict(request).await
    }

    async fn list(&self, request: ListRequest) -> Result<Vec<Record>, StoreError> {
        self.inner.list(request).await
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.inner.ready().await
    }

    fn capabilities(&self) -> Capabilities {
        let script = self.script.lock().unwrap();
        let (limit, may_lose) = (script.max_value_bytes, script.may_lose);
        let capabilities = if may_lose {
            Capabilities::new(Durability::MayLoseAcknowledged)
        } else {
            self.inner.capabilities()
        };
        limit.map_or(capabilities, |limit| capabilities.with_max_value_bytes(limit))
    }

    fn identity(&self) -> &str {
        self.place.as_deref().unwrap_or_else(|| self.inner.identity())
    }
}
