//! Leases while a body runs: renewed, refused, or lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use idempotency_runtime::{ErrorKind, Evict, Status};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::Tested;
use crate::call::*;
use crate::script::*;

/// A call whose body has paid and waits for the test.
struct Running {
    call: JoinHandle<Result<Receipt, Failure>>,
    finish: Arc<Notify>,
    dropped: Arc<AtomicBool>,
}

impl Running {
    async fn start(store: &Tested, ttl: Duration) -> Self {
        let (ledger, finish, dropped) =
            (Ledger::new(), Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
        let body = body(ledger.clone(), finish.clone(), dropped.clone());
        let call = tokio::spawn(pay(store, "1").ttl(ttl).run(body));
        let running = Self { call, finish, dropped };
        running.until(async || ledger.payments() == 1 && store.clock().sleepers() == 1).await;
        running
    }

    /// Lets a third of the lease pass, and waits for the renewal that is due then.
    async fn renew(&self, store: &Tested) {
        store.advance(LEASE / 3);
        let expected = idempotency_runtime::Clock::now(store.clock()).plus(LEASE);
        self.until(async || store.record_of(&pay_key("1")).await.lease_until == expected).await;
        self.until(async || store.clock().sleepers() == 1).await;
    }

    async fn until(&self, mut reached: impl AsyncFnMut() -> bool) {
        until(async || self.call.is_finished() || reached().await).await;
        assert!(!self.call.is_finished(), "the call has ended too early");
    }

    async fn end(self) -> Result<Receipt, Failure> {
        self.finish.notify_one();
        self.call.await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// The body is stopped and its future dropped, without the test's leave.
    async fn stopped(self) -> idempotency_runtime::Error {
        let answer = self.call.await.unwrap_or_else(|error| panic!("{error}"));
        assert!(self.dropped.load(Ordering::SeqCst), "the body was not dropped");
        refusal(answer)
    }
}

struct Dropped(Arc<AtomicBool>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

async fn body(ledger: Ledger, finish: Arc<Notify>, dropped: Arc<AtomicBool>) -> Result<Receipt, Failure> {
    let _dropped = Dropped(dropped);
    let receipt = ledger.enter();
    finish.notified().await;
    Ok(receipt)
}

pub async fn a_body_longer_than_its_lease_keeps_others_out(store: &Tested) {
    let running = Running::start(store, TTL).await;
    for _ in 0..10 {
        running.renew(store).await;
        assert_refused(pay(store, "1").run(Ledger::new().pay()).await, ErrorKind::InProgress);
    }
    assert_eq!(value_of(running.end().await), Receipt { number: 1 });
    assert_eq!(store.record_of(&pay_key("1")).await.attempt, 1);
}

pub async fn a_body_longer_than_its_ttl_keeps_others_out(store: &Tested) {
    let running = Running::start(store, SECOND * 4).await;
    for _ in 0..5 {
        running.renew(store).await;
        assert_refused(pay(store, "1").ttl(SECOND * 4).run(Ledger::new().pay()).await, ErrorKind::InProgress);
    }
    value_of(running.end().await);
    let record = store.record_of(&pay_key("1")).await;
    assert_eq!(record.expires_at, Some(after(LEASE / 3 * 5 + SECOND * 4)));
}

pub async fn a_refused_renewal_stops_the_body(store: &Tested) {
    let running = Running::start(store, TTL).await;
    let record = store.record_of(&pay_key("1")).await;
    assert!(store.evict(Evict::new(record.key, record.epoch)).await);
    store.advance(LEASE / 3);
    assert_eq!(running.stopped().await.kind(), ErrorKind::LeaseLost);
    assert_eq!(store.inspect(&pay_key("1")).await, None);
}

pub async fn a_body_that_was_taken_over_is_stopped_and_the_new_owner_is_not_disturbed(store: &Tested) {
    let running = Running::start(store, TTL).await;
    // A host whose clock is far ahead.
    let bob = store.acquire(request(BOB, lease_dead()).of(&pay_key("1"))).await;
    store.advance(LEASE / 3);
    assert_eq!(running.stopped().await.kind(), ErrorKind::LeaseLost);
    store.apply(bob.complete(lease_dead())).await;
}

pub async fn a_process_that_stood_still_beyond_its_lease_does_not_go_on(store: &Tested) {
    let running = Running::start(store, TTL).await;
    store.advance(LEASE);
    assert_eq!(running.stopped().await.kind(), ErrorKind::LeaseLost);
    let record = store.record_of(&pay_key("1")).await;
    assert_eq!((record.status, record.lease_until), (Status::InProgress, after(LEASE)));
    store.advance(SKEW);
    value_of(pay(store, "1").run(Ledger::new().pay()).await);
    assert_eq!(store.record_of(&pay_key("1")).await.attempt, 2);
}

pub async fn a_body_that_ends_after_a_takeover_carries_its_own_value(store: &Tested) {
    let running = Running::start(store, TTL).await;
    store.acquire(request(BOB, lease_dead()).of(&pay_key("1"))).await;
    let before = store.record_of(&pay_key("1")).await;
    let told = refusal(running.end().await);
    assert_eq!(told.kind(), ErrorKind::LeaseLost);
    assert_eq!(told.unsaved_value(), Some(Receipt { number: 1 }));
    assert_eq!(store.record_of(&pay_key("1")).await, before);
}

pub async fn a_body_that_ends_after_another_owner_finished_gets_that_outcome(store: &Tested) {
    let running = Running::start(store, TTL).await;
    let bob = store.acquire(request(BOB, lease_dead()).of(&pay_key("1"))).await;
    let other = idempotency_runtime::Change::Complete(value(r#"{"number":42}"#));
    store.apply(bob.change(lease_dead(), other)).await;
    assert_eq!(value_of(running.end().await), Receipt { number: 42 });
}

pub async fn a_body_whose_record_was_removed_does_not_bring_it_back(store: &Tested) {
    let running = Running::start(store, TTL).await;
    let record = store.record_of(&pay_key("1")).await;
    assert!(store.evict(Evict::new(record.key, record.epoch)).await);
    let told = refusal(running.end().await);
    assert_eq!(told.kind(), ErrorKind::LeaseLost);
    assert_eq!(told.unsaved_value(), Some(Receipt { number: 1 }));
    assert_eq!(store.inspect(&pay_key("1")).await, None);
}
