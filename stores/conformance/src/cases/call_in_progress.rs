//! Calls while another one is running.

use std::time::Duration;

use idempotency_runtime::ErrorKind;

use crate::Tested;
use crate::call::*;
use crate::script::*;

pub async fn a_call_while_another_runs_is_refused_and_its_body_does_not_run(store: &Tested) {
    let ledger = Ledger::new();
    let outer = pay(store, "1").run(async {
        // Another task: the body itself may not call its own key.
        let duplicate = tokio::spawn(pay(store, "1").run(ledger.pay())).await;
        assert_refused(duplicate.unwrap_or_else(|error| panic!("{error}")), ErrorKind::InProgress);
        Ledger::new().pay().await
    });
    value_of(outer.await);
    assert_eq!(ledger.payments(), 0);
}

pub async fn the_error_in_progress_says_which_key_and_when_to_retry(store: &Tested) {
    store.acquire(request(ANN, START).of(&pay_key("ORD-1"))).await;
    store.advance(SECOND * 10);
    let told = refusal(pay(store, "ORD-1").run(Ledger::new().pay()).await);
    assert_eq!(told.kind(), ErrorKind::InProgress);
    assert_eq!((told.operation(), told.key()), ("pay", Some(&pay_key("ORD-1"))));
    assert_eq!((told.since(), told.until()), (Some(START), Some(after(LEASE))));
    assert_eq!(told.retry_after(), Some(Duration::from_secs(22)));
    assert!(told.is_retryable());
    assert!(told.to_string().contains("pay:ORD-1"), "{told}");
}

pub async fn a_refused_call_makes_one_claim_and_no_write(store: &Tested) {
    store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    let before = store.record_of(&pay_key("1")).await;
    let counting = Counting::new(store);
    let call = pay_at(counting.handle(store), "1").run(Ledger::new().pay());
    assert_refused(call.await, ErrorKind::InProgress);
    assert_eq!(counting.calls(), (1, 0, 0));
    assert_eq!(store.record_of(&pay_key("1")).await, before);
}

pub async fn a_call_right_before_the_lease_is_dead_is_refused(store: &Tested) {
    store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    store.advance(LEASE + SKEW - MS);
    let told = refusal(pay(store, "1").run(Ledger::new().pay()).await);
    assert_eq!(told.retry_after(), Some(MS));
}

pub async fn a_call_when_the_lease_is_dead_takes_over(store: &Tested) {
    let ledger = Ledger::new();
    store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    store.advance(LEASE + SKEW);
    value_of(pay(store, "1").run(ledger.pay()).await);
    assert_eq!(store.record_of(&pay_key("1")).await.attempt, 2);
    assert_eq!(ledger.payments(), 1);
}

pub async fn a_handle_with_a_larger_skew_budget_waits_longer_before_it_takes_over(store: &Tested) {
    let careful = || store.handle().with_skew_budget(Duration::from_secs(12));
    store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    store.advance(LEASE + Duration::from_secs(12) - MS);
    assert_refused(pay_at(careful(), "1").run(Ledger::new().pay()).await, ErrorKind::InProgress);
    store.advance(MS);
    value_of(pay_at(careful(), "1").run(Ledger::new().pay()).await);
}

pub async fn a_lease_that_nobody_could_trust_is_refused(store: &Tested) {
    let counting = Counting::new(store);
    for lease in [Duration::ZERO, MS, SKEW, SKEW * 2 - MS] {
        let call = pay_at(counting.handle(store), "1").lease(lease).run(Ledger::new().pay());
        assert_refused(call.await, ErrorKind::Misconfigured);
    }
    assert_eq!(counting.calls(), (0, 0, 0));
}

pub async fn a_deadline_caps_the_lease(store: &Tested) {
    let call = pay(store, "1").deadline(after(SECOND * 10)).run(async {
        let record = store.record_of(&pay_key("1")).await;
        Ok::<_, Failure>(record.lease_until.as_millis())
    });
    assert_eq!(value_of(call.await), after(SECOND * 10).as_millis());
}

pub async fn a_call_whose_deadline_is_too_near_does_not_run(store: &Tested) {
    let counting = Counting::new(store);
    let ledger = Ledger::new();
    let call = pay_at(counting.handle(store), "1").deadline(after(SKEW)).run(ledger.pay());
    assert_refused(call.await, ErrorKind::DeadlineTooNear);
    assert_eq!((counting.calls(), ledger.payments()), ((0, 0, 0), 0));
}

pub async fn an_unknown_outcome_is_told_and_the_body_does_not_run(store: &Tested) {
    let ledger = Ledger::new();
    let held = store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    store.apply(held.announce(START)).await;
    store.advance(LEASE + SKEW);
    for _ in 0..2 {
        let told = refusal(pay(store, "1").run(ledger.pay()).await);
        assert_eq!((told.kind(), told.since()), (ErrorKind::Unknown, Some(START)));
    }
    assert_eq!(ledger.payments(), 0);
}
