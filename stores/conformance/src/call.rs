//! The words that cases about whole operations are written in: calls, effects, and a store that counts.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use idempotency_runtime::{
    AnyStore, Capabilities, Claim, ClaimRequest, Classify, Error, ErrorClass, ErrorKind, Evict,
    IdempotencyKey, ListRequest, Operation, OwnerWrite, Record, Store, StoreError, TerminalErrors, Written,
    effect_begins, operation,
};
use serde::{Deserialize, Serialize};
use tokio::task::{JoinError, JoinHandle, yield_now};

use crate::harness::Tested;
use crate::script::{TTL, key_of};

/// The error of the operations under test.
#[derive(Debug, Serialize, Deserialize)]
pub enum Failure {
    /// The body failed; it may be tried again.
    Declined(u32),
    /// The body failed for good.
    Final(u32),
    /// Nobody knows whether the effect happened.
    TimedOut,
    /// The call was not answered with the operation's own result.
    #[serde(skip)]
    Refused(Error),
}

impl Classify for Failure {
    const TERMINAL: TerminalErrors<Self> = TerminalErrors::recorded();

    fn class(&self) -> ErrorClass {
        match self {
            Self::Declined(_) => ErrorClass::Retryable,
            Self::Final(_) => ErrorClass::Terminal,
            Self::TimedOut => ErrorClass::Unknown,
            Self::Refused(error) => error.class(),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

/// The error of a call that was refused.
pub fn refusal<T: std::fmt::Debug>(answer: Result<T, Failure>) -> Error {
    match answer {
        Err(Failure::Refused(error)) => error,
        other => panic!("the call was not refused: {other:?}"),
    }
}

/// Expects that a call was refused for this reason.
pub fn assert_refused<T: std::fmt::Debug>(answer: Result<T, Failure>, kind: ErrorKind) {
    let error = refusal(answer);
    assert_eq!(error.kind(), kind, "{error}");
}

/// The value of a call that must have one.
pub fn value_of<T>(answer: Result<T, Failure>) -> T {
    answer.unwrap_or_else(|failure| panic!("the call has no value: {failure:?}"))
}

/// A call of the operation `pay` for an order.
pub fn pay(store: &Tested, order: &str) -> Operation {
    pay_at(store.handle(), order)
}

/// A call of the operation `pay` through a handle.
pub fn pay_at(store: impl Into<AnyStore>, order: &str) -> Operation {
    operation("pay").part("order", order).ttl(TTL).store(store)
}

/// The key of [`pay`] for an order.
pub fn pay_key(order: &str) -> IdempotencyKey {
    key_of(&format!("pay:{order}"))
}

/// What a payment returns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// The number of the payment in the ledger: two payments differ.
    pub number: u32,
}

/// Counts the effects that bodies have had.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    payments: Arc<AtomicU32>,
}

impl Ledger {
    /// An empty ledger.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many effects there were.
    pub fn payments(&self) -> u32 {
        self.payments.load(Ordering::SeqCst)
    }

    /// A body that pays once.
    pub fn pay(&self) -> impl Future<Output = Result<Receipt, Failure>> + Send + 'static {
        let ledger = self.clone();
        async move { Ok(ledger.enter()) }
    }

    /// A body that pays and then fails.
    pub fn decline(&self) -> impl Future<Output = Result<Receipt, Failure>> + Send + 'static {
        let ledger = self.clone();
        async move { Err(Failure::Declined(ledger.enter().number)) }
    }

    /// A body that announces its effect, pays, and then ends like this.
    pub fn announce<T>(&self, end: Result<T, Failure>) -> impl Future<Output = Result<T, Failure>> {
        let ledger = self.clone();
        async move {
            effect_begins().await?;
            ledger.enter();
            end
        }
    }

    /// Records a payment now.
    pub fn enter(&self) -> Receipt {
        Receipt { number: self.payments.fetch_add(1, Ordering::SeqCst) + 1 }
    }
}

/// A body that pays and does not end.
pub async fn stuck(ledger: Ledger) -> Result<Receipt, Failure> {
    ledger.enter();
    std::future::pending().await
}

/// Drops the task of a call, and waits until it is dropped.
pub async fn abort<T: std::fmt::Debug>(task: JoinHandle<T>) {
    task.abort();
    let ended = task.await;
    assert!(ended.as_ref().is_err_and(JoinError::is_cancelled), "the call has ended: {ended:?}");
}

/// Lets other tasks run until `reached` says so. The runner of the case limits how long that may take.
pub async fn until(mut reached: impl AsyncFnMut() -> bool) {
    while !reached().await {
        yield_now().await;
    }
}

/// A store that counts the calls that reach the one below.
#[derive(Clone, Debug)]
pub struct Counting {
    store: AnyStore,
    claims: Arc<AtomicU32>,
    writes: Arc<AtomicU32>,
    others: Arc<AtomicU32>,
}

impl Counting {
    /// Counts the calls to the store under test.
    pub fn new(store: &Tested) -> Self {
        Self { store: store.handle(), claims: Arc::default(), writes: Arc::default(), others: Arc::default() }
    }

    /// A handle on it, on the clock of the store under test.
    pub fn handle(&self, store: &Tested) -> AnyStore {
        AnyStore::new(self.clone()).with_clock(store.clock().clone())
    }

    /// How many claims, writes, and other calls there were since the last time this was asked.
    pub fn calls(&self) -> (u32, u32, u32) {
        let [claims, writes, others] =
            [&self.claims, &self.writes, &self.others].map(|count| count.swap(0, Ordering::SeqCst));
        (claims, writes, others)
    }
}

fn count(counter: &AtomicU32) {
    counter.fetch_add(1, Ordering::SeqCst);
}

impl Store for Counting {
    async fn claim(&self, request: ClaimRequest) -> Result<Claim, StoreError> {
        count(&self.claims);
        self.store.claim(request).await
    }

    async fn write(&self, request: OwnerWrite) -> Result<Written, StoreError> {
        count(&self.writes);
        self.store.write(request).await
    }

    async fn inspect(&self, key: &IdempotencyKey) -> Result<Option<Record>, StoreError> {
        count(&self.others);
        self.store.inspect(key).await
    }

    async fn evict(&self, request: Evict) -> Result<bool, StoreError> {
        count(&self.others);
        self.store.evict(request).await
    }

    async fn list(&self, request: ListRequest) -> Result<Vec<Record>, StoreError> {
        count(&self.others);
        self.store.list(request).await
    }

    async fn ready(&self) -> Result<(), StoreError> {
        count(&self.others);
        self.store.ready().await
    }

    fn capabilities(&self) -> Capabilities {
        self.store.capabilities()
    }

    fn identity(&self) -> &str {
        self.store.identity()
    }
}
