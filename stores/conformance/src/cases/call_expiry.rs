//! Calls after the TTL.

use idempotency_runtime::{ErrorKind, OnExpired};

use crate::Tested;
use crate::call::*;
use crate::script::*;

pub async fn after_the_ttl_the_same_call_runs_again(store: &Tested) {
    let ledger = Ledger::new();
    value_of(pay(store, "1").run(ledger.pay()).await);
    store.advance(TTL);
    assert_eq!(value_of(pay(store, "1").run(ledger.pay()).await), Receipt { number: 1 });
    store.advance(MS);
    assert_eq!(value_of(pay(store, "1").run(ledger.pay()).await), Receipt { number: 2 });
    assert_eq!(value_of(pay(store, "1").run(ledger.pay()).await), Receipt { number: 2 });
    assert_eq!(ledger.payments(), 2);
}

pub async fn after_the_ttl_another_request_may_use_the_key(store: &Tested) {
    let ledger = Ledger::new();
    value_of(pay(store, "1").validate("one").run(ledger.pay()).await);
    store.advance(TTL + MS);
    let receipt = value_of(pay(store, "1").validate("two").run(ledger.pay()).await);
    assert_eq!(receipt, Receipt { number: 2 });
}

pub async fn two_operations_keep_their_outcomes_as_long_as_each_says(store: &Tested) {
    let ledger = Ledger::new();
    value_of(pay(store, "short").ttl(SECOND * 4).run(ledger.pay()).await);
    value_of(pay(store, "long").run(ledger.pay()).await);
    store.advance(SECOND * 4 + MS);
    assert_eq!(value_of(pay(store, "long").run(ledger.pay()).await), Receipt { number: 2 });
    assert_eq!(value_of(pay(store, "short").ttl(SECOND * 4).run(ledger.pay()).await), Receipt { number: 3 });
}

pub async fn a_clock_that_was_set_back_runs_nothing_again(store: &Tested) {
    let ledger = Ledger::new();
    value_of(pay(store, "1").run(ledger.pay()).await);
    store.clock().set_wall(START.minus(TTL));
    assert_eq!(value_of(pay(store, "1").run(ledger.pay()).await), Receipt { number: 1 });
}

/// A call of an operation that rejects late retries for as long again as it replays.
async fn rejecting_late(store: &Tested, ledger: &Ledger) -> Result<Receipt, Failure> {
    pay(store, "1").on_expired(OnExpired::Reject).tombstone(TTL).run(ledger.pay()).await
}

pub async fn a_late_call_is_told_expired_as_long_as_the_tombstone_stands(store: &Tested) {
    let ledger = Ledger::new();
    value_of(rejecting_late(store, &ledger).await);
    let first = store.record_of(&pay_key("1")).await;
    store.advance(TTL);
    assert_eq!(value_of(rejecting_late(store, &ledger).await), Receipt { number: 1 });
    for span in [MS, TTL - MS] {
        store.advance(span);
        let told = refusal(rejecting_late(store, &ledger).await);
        assert_eq!((told.kind(), told.since()), (ErrorKind::Expired, Some(after(TTL))));
        assert_eq!(store.record_of(&pay_key("1")).await, first);
    }
    store.advance(MS);
    assert_eq!(value_of(rejecting_late(store, &ledger).await), Receipt { number: 2 });
    let second = store.record_of(&pay_key("1")).await;
    assert!(second.epoch > first.epoch, "a late write of the first attempt could pass for the second");
    assert_eq!(second.attempt, 1);
}

pub async fn a_late_call_without_a_tombstone_runs(store: &Tested) {
    let ledger = Ledger::new();
    let call = async || pay(store, "1").on_expired(OnExpired::Reject).run(ledger.pay()).await;
    value_of(call().await);
    store.advance(TTL + MS);
    assert_eq!(value_of(call().await), Receipt { number: 2 });
}
