//! Repeated calls that ask for something else.

use std::collections::{BTreeMap, HashMap};

use idempotency_runtime::{ErrorKind, Exclusion, Status};
use serde::Serialize;

use crate::Tested;
use crate::call::*;
use crate::script::*;

async fn is_a_mismatch<T: Serialize>(store: &Tested, body: &T) {
    let ledger = Ledger::new();
    assert_refused(pay(store, "1").validate(body).run(ledger.pay()).await, ErrorKind::Mismatch);
    assert_eq!(ledger.payments(), 0);
}

async fn is_a_replay<T: Serialize>(store: &Tested, body: &T) {
    let ledger = Ledger::new();
    value_of(pay(store, "1").validate(body).run(ledger.pay()).await);
    assert_eq!(ledger.payments(), 0);
}

async fn first<T: Serialize>(store: &Tested, body: &T) {
    value_of(pay(store, "1").validate(body).run(Ledger::new().pay()).await);
}

pub async fn a_changed_request_is_a_mismatch_and_the_body_does_not_run(store: &Tested) {
    first(store, &("EUR", 100)).await;
    is_a_mismatch(store, &("EUR", 101)).await;
    is_a_replay(store, &("EUR", 100)).await;
}

pub async fn a_changed_request_leaves_the_record_as_it_is(store: &Tested) {
    first(store, &1).await;
    let before = store.record_of(&pay_key("1")).await;
    store.advance(SECOND);
    is_a_mismatch(store, &2).await;
    assert_eq!(store.record_of(&pay_key("1")).await, before);
}

pub async fn a_changed_request_while_the_first_runs_is_a_mismatch(store: &Tested) {
    let call = pay(store, "1").validate(&1).run(async {
        let other = tokio::spawn(pay(store, "1").validate(&2).run(Ledger::new().pay())).await;
        assert_refused(other.unwrap_or_else(|error| panic!("{error}")), ErrorKind::Mismatch);
        Ok::<_, Failure>(())
    });
    value_of(call.await);
}

pub async fn the_mismatch_says_since_when_and_nothing_of_the_request(store: &Tested) {
    first(store, &"s3cret-amount").await;
    store.advance(SECOND);
    let told = refusal(pay(store, "1").validate("other-s3cret").run(Ledger::new().pay()).await);
    assert_eq!((told.operation(), told.key(), told.since()), ("pay", Some(&pay_key("1")), Some(START)));
    let shown = format!("{told} {told:?}");
    assert!(shown.contains("pay:1"), "{shown}");
    assert!(!shown.contains("s3cret") && !shown.contains("number"), "{shown}");
    assert!(!told.is_retryable());
}

pub async fn a_mismatch_is_seen_through_a_handle_opened_later(store: &Tested) {
    first(store, &1).await;
    let second = store.reopen().await;
    is_a_mismatch(&second, &2).await;
    is_a_replay(&second, &1).await;
}

pub async fn without_validation_a_changed_request_gets_the_outcome(store: &Tested) {
    first(store, &1).await;
    let ledger = Ledger::new();
    value_of(pay(store, "1").run(ledger.pay()).await);
    assert_eq!(ledger.payments(), 0);
}

pub async fn the_fingerprint_is_recorded_at_the_claim_and_kept_at_the_end(store: &Tested) {
    let call = pay(store, "1").validate(&1_u8).run(async {
        let record = store.record_of(&pay_key("1")).await;
        assert_eq!((record.status, record.fingerprint), (Status::InProgress, Some(fingerprint(1))));
        Ok::<_, Failure>(())
    });
    value_of(call.await);
    assert_eq!(store.record_of(&pay_key("1")).await.fingerprint, Some(fingerprint(1)));
}

pub async fn the_order_of_fields_and_entries_does_not_count(store: &Tested) {
    #[derive(Serialize)]
    struct Forward {
        amount: u32,
        #[serde(rename = "Amount")]
        other: u32,
        meta: HashMap<&'static str, u8>,
    }

    #[derive(Serialize)]
    struct Backward {
        meta: BTreeMap<&'static str, u8>,
        #[serde(rename = "Amount")]
        other: u32,
        amount: u32,
    }

    let meta: Vec<(&str, u8)> = vec![("k", 1), ("l", 2), ("K", 3)];
    let forward = Forward { amount: 1, other: 2, meta: meta.iter().copied().collect() };
    first(store, &forward).await;
    let backward = |amount, other| Backward { meta: meta.iter().rev().copied().collect(), other, amount };
    is_a_replay(store, &backward(1, 2)).await;
    // Names that differ only in case are two names.
    is_a_mismatch(store, &backward(2, 1)).await;
}

pub async fn numbers_are_compared_exactly(store: &Tested) {
    first(store, &((1_u64 << 53) + 1)).await;
    is_a_mismatch(store, &(1_u64 << 53)).await;
    is_a_replay(store, &((1_i128 << 53) + 1)).await;
    is_a_mismatch(store, &9_007_199_254_740_992.0_f64).await;
}

pub async fn zero_has_one_sign(store: &Tested) {
    first(store, &0.0_f64).await;
    is_a_replay(store, &-0.0_f64).await;
}

pub async fn texts_are_compared_byte_by_byte(store: &Tested) {
    first(store, &"\u{e9}").await;
    is_a_mismatch(store, &"e\u{301}").await;
}

pub async fn a_request_that_cannot_be_compared_is_an_error_before_the_store_is_touched(store: &Tested) {
    let counting = Counting::new(store);
    let ledger = Ledger::new();
    let call = pay_at(counting.handle(store), "1").validate(&f64::NAN).run(ledger.pay());
    assert_refused(call.await, ErrorKind::Codec);
    assert_eq!((counting.calls(), ledger.payments()), ((0, 0, 0), 0));
}

pub async fn an_absent_field_equals_an_empty_one(store: &Tested) {
    first(store, &BTreeMap::from([("amount", Some(1)), ("note", None)])).await;
    is_a_replay(store, &BTreeMap::from([("amount", 1)])).await;
    is_a_mismatch(store, &BTreeMap::from([("amount", 1), ("note", 0)])).await;
}

pub async fn an_excluded_field_does_not_count(store: &Tested) {
    #[derive(Serialize)]
    struct Order {
        amount: u32,
        sent_at: u64,
    }
    let ledger = Ledger::new();
    for sent_at in [1, 2] {
        let order = Order { amount: 1, sent_at };
        let exclusions = [Exclusion::new(&order.sent_at, &["sent_at"])];
        value_of(pay(store, "1").validate_except(&order, &exclusions).run(ledger.pay()).await);
    }
    assert_eq!(ledger.payments(), 1);
}
