//! `on_crash` and `reconcile`: what becomes of attempts that nobody knows the end of.
#![cfg(feature = "memory")]

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Waker};
use std::time::Duration;

use idempotency::store::MemoryStore;
use idempotency::{
    AnyStore, Classify, Error, ErrorKind, ManualClock, Reconciled, Timestamp, UnknownOutcome, idempotent,
};

/// A store, a clock that the test moves, and a ledger of effects.
struct World {
    store: AnyStore,
    clock: ManualClock,
    runs: AtomicU32,
    asked: AtomicU32,
    /// What the probe finds.
    found: Cell<Reconciled<u32>>,
}

impl World {
    fn new() -> Self {
        let clock = ManualClock::at(Timestamp::from_millis(1_782_639_000_000));
        let store = AnyStore::new(MemoryStore::new()).with_clock(clock.clone());
        let found = Cell::new(Reconciled::StillUnknown);
        Self { store, clock, runs: AtomicU32::new(0), asked: AtomicU32::new(0), found }
    }

    fn after_the_lease(&self) {
        self.clock.advance(Duration::from_secs(33));
    }

    fn runs(&self) -> u32 {
        self.runs.load(Ordering::SeqCst)
    }

    async fn find(&self, unknown: UnknownOutcome) -> Result<Reconciled<u32>, PayError> {
        assert_eq!(unknown.key.as_str(), format!("{}:7", unknown.operation));
        self.asked.fetch_add(1, Ordering::SeqCst);
        std::future::ready(Ok(self.found.get())).await
    }

    #[idempotent(key = "order_no", ttl = "1d", on_crash = hold, store = self.store, op = "held")]
    async fn held(&self, order_no: u32) -> Result<u32, PayError> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        Ok(order_no)
    }

    #[idempotent(key = "order_no", ttl = "1d", on_crash = rerun, store = self.store, op = "rerun", allow(unknown-without-reconcile, reason = "what is held is looked at"))]
    async fn rerun(&self, order_no: u32) -> Result<u32, PayError> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        Ok(order_no)
    }

    #[idempotent(key = "order_no", ttl = "1d", reconcile = self.find, store = self.store, op = "pay")]
    async fn pay(&self, order_no: u32) -> Result<u32, PayError> {
        if self.runs.fetch_add(1, Ordering::SeqCst) == 0 { Err(PayError::TimedOut) } else { Ok(order_no) }
    }
}

#[derive(Debug, thiserror::Error, Classify)]
enum PayError {
    #[error("timed out")]
    #[unknown]
    TimedOut,
    #[error(transparent)]
    #[inner]
    Idempotency(#[from] Error),
}

#[track_caller]
fn kind<T: std::fmt::Debug>(result: Result<T, PayError>) -> ErrorKind {
    match result {
        Err(PayError::Idempotency(error)) => error.kind(),
        other => panic!("{other:?}"),
    }
}

/// Polls `future` so often, then drops it, as a caller that goes away does.
fn drop_after(polls: usize, future: impl Future) {
    let mut future = Box::pin(future);
    for _ in 0..polls {
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
}

/// Polls until the body has begun, then drops the call.
fn drop_in_the_body(world: &World, future: impl Future) {
    let mut future = Box::pin(future);
    while world.runs() == 0 {
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
}

#[tokio::test]
async fn a_dropped_attempt_holds_its_key_where_that_is_asked_for() {
    let world = World::new();
    drop_in_the_body(&world, world.held(7));
    assert_eq!(kind(world.held(7).await), ErrorKind::InProgress);
    world.after_the_lease();
    assert_eq!(kind(world.held(7).await), ErrorKind::Unknown);
    world.clock.advance(Duration::from_secs(365 * 86_400));
    assert_eq!(kind(world.held(7).await), ErrorKind::Unknown);
    assert_eq!(world.runs(), 1);
}

#[tokio::test]
async fn a_dropped_attempt_runs_again_where_nothing_else_is_asked_for() {
    let world = World::new();
    drop_in_the_body(&world, world.rerun(7));
    assert_eq!(kind(world.rerun(7).await), ErrorKind::InProgress);
    world.after_the_lease();
    assert_eq!(world.rerun(7).await.unwrap(), 7);
    assert_eq!(world.runs(), 2);
}

#[tokio::test]
async fn what_was_applied_is_the_outcome_and_the_body_does_not_run() {
    let world = World::new();
    assert!(matches!(world.pay(7).await, Err(PayError::TimedOut)));
    world.after_the_lease();
    world.found.set(Reconciled::Applied(70));
    assert_eq!(world.pay(7).await.unwrap(), 70);
    world.found.set(Reconciled::NotApplied);
    assert_eq!(world.pay(7).await.unwrap(), 70);
    assert_eq!((world.runs(), world.asked.load(Ordering::SeqCst)), (1, 1));
}

#[tokio::test]
async fn what_was_not_applied_runs_again() {
    let world = World::new();
    assert!(matches!(world.pay(7).await, Err(PayError::TimedOut)));
    world.after_the_lease();
    world.found.set(Reconciled::NotApplied);
    assert_eq!(world.pay(7).await.unwrap(), 7);
    assert_eq!(world.pay(7).await.unwrap(), 7);
    assert_eq!((world.runs(), world.asked.load(Ordering::SeqCst)), (2, 1));
}

#[tokio::test]
async fn what_is_still_unknown_is_asked_again_a_lease_later() {
    let world = World::new();
    assert!(matches!(world.pay(7).await, Err(PayError::TimedOut)));
    world.after_the_lease();
    assert_eq!(kind(world.pay(7).await), ErrorKind::Unknown);
    assert_eq!(kind(world.pay(7).await), ErrorKind::Unknown);
    assert_eq!(world.asked.load(Ordering::SeqCst), 1);
    world.after_the_lease();
    world.found.set(Reconciled::Applied(70));
    assert_eq!(world.pay(7).await.unwrap(), 70);
    assert_eq!((world.runs(), world.asked.load(Ordering::SeqCst)), (1, 2));
}

#[tokio::test]
async fn the_probe_may_be_a_function_or_a_closure() {
    async fn find(unknown: UnknownOutcome) -> Result<Reconciled<u32>, PayError> {
        std::future::ready(Ok(Reconciled::Applied(unknown.attempt))).await
    }
    #[idempotent(key = "order_no", ttl = "1d", reconcile = find, store = store)]
    async fn by_function(order_no: u32, store: AnyStore) -> Result<u32, PayError> {
        Err(PayError::TimedOut)
    }
    #[idempotent(
        key = "order_no",
        ttl = "1d",
        reconcile = |unknown: UnknownOutcome| async move { Ok(Reconciled::Applied(unknown.attempt + offset)) },
        ignore(offset),
        store = store
    )]
    async fn by_closure(order_no: u32, offset: u32, store: AnyStore) -> Result<u32, PayError> {
        Err(PayError::TimedOut)
    }
    let world = World::new();
    let store = || world.store.clone();
    assert!(matches!(by_function(7, store()).await, Err(PayError::TimedOut)));
    assert!(matches!(by_closure(7, 10, store()).await, Err(PayError::TimedOut)));
    world.after_the_lease();
    assert_eq!(by_function(7, store()).await.unwrap(), 1);
    assert_eq!(by_closure(7, 10, store()).await.unwrap(), 11);
}

#[tokio::test]
async fn the_probe_may_be_a_method_of_an_async_trait() {
    #[async_trait::async_trait]
    trait Payments {
        async fn pay(&self, order_no: u32) -> Result<u32, PayError>;
    }
    struct Provider(AnyStore);
    impl Provider {
        async fn find(&self, _: UnknownOutcome) -> Result<Reconciled<u32>, PayError> {
            std::future::ready(Ok(Reconciled::Applied(70))).await
        }
    }
    #[async_trait::async_trait]
    impl Payments for Provider {
        #[idempotent(key = "order_no", ttl = "1d", reconcile = self.find, store = self.0)]
        async fn pay(&self, order_no: u32) -> Result<u32, PayError> {
            Err(PayError::TimedOut)
        }
    }
    let world = World::new();
    let provider = Provider(world.store.clone());
    assert!(matches!(provider.pay(7).await, Err(PayError::TimedOut)));
    world.after_the_lease();
    assert_eq!(provider.pay(7).await.unwrap(), 70);
}

#[tokio::test]
async fn a_held_attempt_is_found_out_by_the_probe() {
    #[idempotent(
        key = "order_no",
        ttl = "1d",
        on_crash = hold,
        reconcile = |_| async { Ok(Reconciled::Applied(70)) },
        store = store
    )]
    async fn send(order_no: u32, store: AnyStore) -> Result<u32, PayError> {
        tokio::task::yield_now().await;
        Ok(order_no)
    }
    let world = World::new();
    drop_after(1, send(7, world.store.clone()));
    world.after_the_lease();
    assert_eq!(send(7, world.store.clone()).await.unwrap(), 70);
}
