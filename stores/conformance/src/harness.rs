//! How the suite gets at a store.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use idempotency_runtime::{
    AnyStore, Capabilities, Claim, ClaimRequest, Evict, IdempotencyKey, ListRequest, ManualClock, OwnerWrite,
    Previous, Record, Store, StoreError, StoreErrorKind, Written,
};

use crate::script::{Held, START, Vary, key};

/// Makes places for records, and opens them.
///
/// A closure that returns a new store is a harness too; its second handles are clones:
/// `suite!(memory, MemoryStore::new)`.
pub trait Harness: Send + Sync + 'static {
    /// Where records live: a directory, a table. It is dropped at the end of the case.
    type Place: Send + Sync + 'static;

    /// Makes an empty place that no other case uses.
    fn create(&self) -> impl Future<Output = Self::Place> + Send;

    /// Opens a place as a process does that starts: nothing of an earlier handle is shared where that can be
    /// avoided.
    fn open(&self, place: &Self::Place) -> impl Future<Output = AnyStore> + Send;
}

impl<F, S> Harness for F
where
    F: Fn() -> S + Send + Sync + 'static,
    S: Store,
{
    type Place = S;

    async fn create(&self) -> S {
        self()
    }

    async fn open(&self, place: &S) -> AnyStore {
        AnyStore::new(place.clone())
    }
}

/// The store under test: one handle on an empty place of its own, and a clock that stands still.
#[derive(Clone)]
pub struct Tested {
    handle: AnyStore,
    clock: ManualClock,
    open: Open,
    create: Open,
}

type Open = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = AnyStore> + Send>> + Send + Sync>;

impl Tested {
    /// Makes a place and opens it.
    pub async fn new<H: Harness>(harness: H) -> Self {
        let place = harness.create().await;
        let shared = Arc::new((harness, place));
        let of_create = shared.clone();
        let open: Open = Arc::new(move || {
            let shared = shared.clone();
            Box::pin(async move { shared.0.open(&shared.1).await })
        });
        let create: Open = Arc::new(move || {
            let shared = of_create.clone();
            Box::pin(async move { shared.0.open(&shared.0.create().await).await })
        });
        let clock = ManualClock::at(START);
        let handle = open().await.with_clock(clock.clone());
        Self { handle, clock, open, create }
    }

    /// A second handle on the same place, as another process has it; on the same clock.
    pub async fn reopen(&self) -> Self {
        let handle = (self.open)().await.with_clock(self.clock.clone());
        Self { handle, ..self.clone() }
    }

    /// A handle on another place, which may be gone already: for what needs no records.
    pub async fn elsewhere(&self) -> AnyStore {
        (self.create)().await
    }

    /// The handle.
    pub fn handle(&self) -> AnyStore {
        self.handle.clone()
    }

    /// The clock of the handle; it shows [`START`] at first.
    pub fn clock(&self) -> &ManualClock {
        &self.clock
    }

    /// Lets time pass for operations that run on the handle.
    pub fn advance(&self, span: Duration) {
        self.clock.advance(span);
    }

    /// What the store can do.
    pub fn capabilities(&self) -> Capabilities {
        self.handle.capabilities()
    }

    /// Claims; an error of the store fails the case.
    pub async fn claim(&self, request: ClaimRequest) -> Claim {
        let key = request.key.clone();
        answer(&key, "claim", self.handle.claim(request).await)
    }

    /// Claims, and expects that the claim is granted.
    pub async fn acquire(&self, request: ClaimRequest) -> Held {
        let (key, owner) = (request.key.clone(), request.owner);
        match self.claim(request).await {
            Claim::Acquired { epoch, attempt, lease_until, previous } => {
                Held { key, owner, epoch, attempt, lease_until, previous }
            }
            other => panic!("the claim of {key} was not granted: {other:?}"),
        }
    }

    /// Claims the right to find out what became of an unknown outcome, and expects that it is granted.
    pub async fn probe(&self, request: ClaimRequest) -> Held {
        let (key, owner) = (request.key.clone(), request.owner);
        match self.claim(request.probing()).await {
            Claim::Probe { epoch, attempt, lease_until, .. } => {
                Held { key, owner, epoch, attempt, lease_until, previous: Previous::Abandoned }
            }
            other => panic!("the right to find out about {key} was not granted: {other:?}"),
        }
    }

    /// Writes as an owner; an error of the store fails the case.
    pub async fn write(&self, request: OwnerWrite) -> Written {
        let key = request.key.clone();
        answer(&key, "write", self.handle.write(request).await)
    }

    /// Writes as an owner, and expects that the write is applied.
    pub async fn apply(&self, request: OwnerWrite) {
        let (key, change) = (request.key.clone(), format!("{:?}", request.change));
        let written = self.write(request).await;
        assert!(matches!(written, Written::Applied { .. }), "{change} of {key} was not applied: {written:?}");
    }

    /// Reads the record of a key.
    pub async fn inspect(&self, key: &IdempotencyKey) -> Option<Record> {
        answer(key, "inspect", self.handle.inspect(key).await)
    }

    /// The record of the key that most cases use; there must be one.
    pub async fn record(&self) -> Record {
        self.record_of(&key()).await
    }

    /// The record of a key that must have one.
    pub async fn record_of(&self, key: &IdempotencyKey) -> Record {
        self.inspect(key).await.unwrap_or_else(|| panic!("{key} has no record"))
    }

    /// Removes a record; an error of the store fails the case.
    pub async fn evict(&self, request: Evict) -> bool {
        let key = request.key.clone();
        answer(&key, "evict", self.handle.evict(request).await)
    }

    /// Lists records. A store that cannot list must say so, and the answer is `None`.
    pub async fn list(&self, request: ListRequest) -> Option<Vec<Record>> {
        let listed = self.handle.list(request.clone()).await;
        if self.capabilities().listing {
            return Some(
                listed.unwrap_or_else(|error| panic!("the store failed to list {request:?}: {error:?}")),
            );
        }
        match listed {
            Err(error) => assert_eq!(error.kind(), StoreErrorKind::Misconfigured, "{error}"),
            Ok(records) => panic!("the store says that it cannot list, and lists {records:?}"),
        }
        None
    }

    /// Expects that `request` gets `expected` and leaves the record as it is.
    pub async fn refuses(&self, request: ClaimRequest, expected: Claim) {
        let key = request.key.clone();
        let before = self.inspect(&key).await;
        assert_eq!(self.claim(request).await, expected);
        assert_eq!(self.inspect(&key).await, before, "a claim that is not granted must not write");
    }

    /// Expects that the write gets `expected` and leaves the record as it is.
    pub async fn ignores(&self, request: OwnerWrite, expected: Written) {
        let (key, change) = (request.key.clone(), format!("{:?}", request.change));
        let before = self.inspect(&key).await;
        assert_eq!(self.write(request).await, expected, "{change}");
        assert_eq!(self.inspect(&key).await, before, "{change} must not write");
    }
}

impl fmt::Debug for Tested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tested").field("handle", &self.handle).finish_non_exhaustive()
    }
}

fn answer<T>(key: &IdempotencyKey, verb: &str, answer: Result<T, StoreError>) -> T {
    answer.unwrap_or_else(|error| panic!("the store failed to {verb} {key}: {error:?}"))
}
