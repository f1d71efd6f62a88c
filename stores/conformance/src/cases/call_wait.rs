//! Calls that wait for the one that runs.

use std::time::Duration;

use idempotency_runtime::{Clock, ErrorKind, InProgress};
use tokio::task::JoinHandle;

use crate::Tested;
use crate::call::*;
use crate::script::*;

type Call = JoinHandle<Result<Receipt, Failure>>;

/// No pause between two looks at the record is longer.
const PAUSE: Duration = Duration::from_millis(500);

/// A call that waits, and is known to be pausing.
async fn waiting(store: &Tested, longest: Duration, ledger: &Ledger) -> Call {
    let call = tokio::spawn(pay(store, "1").in_progress(InProgress::Wait(longest)).run(ledger.pay()));
    until(async || store.clock().sleepers() == 1 || call.is_finished()).await;
    assert!(!call.is_finished(), "the call did not wait");
    call
}

/// Lets time pass, pause by pause, until the call has ended.
async fn end(store: &Tested, call: Call) -> Result<Receipt, Failure> {
    while !call.is_finished() {
        if store.clock().sleepers() > 0 {
            store.advance(PAUSE);
        }
        tokio::task::yield_now().await;
    }
    call.await.unwrap_or_else(|error| panic!("{error}"))
}

pub async fn a_waiting_call_gets_the_outcome_when_the_owner_finishes(store: &Tested) {
    let ledger = Ledger::new();
    let ann = store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    let call = waiting(store, SECOND * 5, &ledger).await;
    let outcome = idempotency_runtime::Change::Complete(value(r#"{"number":42}"#));
    store.apply(ann.change(START, outcome)).await;
    assert_eq!(value_of(end(store, call).await), Receipt { number: 42 });
    assert_eq!(ledger.payments(), 0);
}

pub async fn a_waiting_call_is_told_in_progress_at_the_end_of_its_wait(store: &Tested) {
    let ledger = Ledger::new();
    store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    let call = waiting(store, SECOND * 5, &ledger).await;
    assert_refused(end(store, call).await, ErrorKind::InProgress);
    let waited = store.clock().now().since(START);
    assert!((SECOND * 5..=SECOND * 5 + PAUSE).contains(&waited), "it waited for {waited:?}");
    assert_eq!(ledger.payments(), 0);
}

pub async fn a_waiting_call_takes_over_when_the_owner_dies(store: &Tested) {
    let ledger = Ledger::new();
    store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    let call = waiting(store, TTL, &ledger).await;
    assert_eq!(value_of(end(store, call).await), Receipt { number: 1 });
    assert!(store.clock().now() >= lease_dead());
    assert_eq!(store.record_of(&pay_key("1")).await.attempt, 2);
}

pub async fn a_waiting_call_runs_when_the_owner_fails(store: &Tested) {
    let ledger = Ledger::new();
    let ann = store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    let call = waiting(store, SECOND * 5, &ledger).await;
    store.apply(ann.release(START)).await;
    assert_eq!(value_of(end(store, call).await), Receipt { number: 1 });
}

pub async fn a_waiting_call_is_told_when_the_outcome_is_unknown(store: &Tested) {
    let ledger = Ledger::new();
    let ann = store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    store.apply(ann.announce(START)).await;
    let call = waiting(store, TTL, &ledger).await;
    assert_refused(end(store, call).await, ErrorKind::Unknown);
    assert_eq!(ledger.payments(), 0);
}

pub async fn a_waiting_call_is_told_when_the_record_is_removed_and_runs(store: &Tested) {
    let ledger = Ledger::new();
    let ann = store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    let call = waiting(store, SECOND * 5, &ledger).await;
    assert!(store.evict(ann.evict()).await);
    assert_eq!(value_of(end(store, call).await), Receipt { number: 1 });
}

pub async fn a_changed_request_does_not_wait(store: &Tested) {
    store.acquire(request(ANN, START).of(&pay_key("1")).validating(1)).await;
    let call = pay(store, "1").validate(&2).in_progress(InProgress::Wait(TTL));
    assert_refused(call.run(Ledger::new().pay()).await, ErrorKind::Mismatch);
}

pub async fn a_free_key_and_a_finished_one_need_no_wait(store: &Tested) {
    let ledger = Ledger::new();
    for _ in 0..2 {
        let call = pay(store, "1").in_progress(InProgress::Wait(TTL));
        assert_eq!(value_of(call.run(ledger.pay()).await), Receipt { number: 1 });
    }
    assert_eq!(store.clock().now(), START);
}
