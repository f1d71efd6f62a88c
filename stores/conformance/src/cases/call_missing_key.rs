//! Calls whose key is incomplete: they never run unprotected.

use idempotency_runtime::{ErrorKind, Operation, operation};

use crate::Tested;
use crate::call::*;
use crate::script::*;

fn customer(
    store: impl Into<idempotency_runtime::AnyStore>,
    order: &str,
    customer: Option<&str>,
) -> Operation {
    operation("charge").part("order", order).optional_part("customer?", customer).ttl(TTL).store(store)
}

async fn is_refused_before_the_store_is_touched(store: &Tested, order: &str, name: Option<&str>, part: &str) {
    let counting = Counting::new(store);
    let ledger = Ledger::new();
    let told = refusal(customer(counting.handle(store), order, name).run(ledger.pay()).await);
    assert_eq!((told.kind(), told.key()), (ErrorKind::MissingKeyPart, None));
    assert!(told.to_string().contains(part), "the error does not name the part: {told}");
    assert!(!told.is_retryable());
    assert_eq!((counting.calls(), ledger.payments()), ((0, 0, 0), 0));
}

pub async fn an_absent_part_is_an_error_before_the_store_is_touched(store: &Tested) {
    is_refused_before_the_store_is_touched(store, "1", None, "`customer?`").await;
}

pub async fn an_empty_part_is_an_error_before_the_store_is_touched(store: &Tested) {
    is_refused_before_the_store_is_touched(store, "", Some("c"), "`order`").await;
    is_refused_before_the_store_is_touched(store, "1", Some(""), "`customer?`").await;
}

pub async fn a_key_without_any_part_is_an_error_before_the_store_is_touched(store: &Tested) {
    let counting = Counting::new(store);
    let ledger = Ledger::new();
    let call = operation("charge_all").ttl(TTL).store(counting.handle(store));
    assert_refused(call.run(ledger.pay()).await, ErrorKind::Misconfigured);
    assert_eq!((counting.calls(), ledger.payments()), ((0, 0, 0), 0));
}

pub async fn two_incomplete_calls_are_two_errors_and_a_complete_one_runs(store: &Tested) {
    let ledger = Ledger::new();
    let call = |name| customer(store.handle(), "1", name).run(ledger.pay());
    assert_refused(call(None).await, ErrorKind::MissingKeyPart);
    assert_refused(call(None).await, ErrorKind::MissingKeyPart);
    assert_eq!(value_of(call(Some("c")).await), Receipt { number: 1 });
}

pub async fn a_present_optional_part_is_like_any_other(store: &Tested) {
    let ledger = Ledger::new();
    for name in ["c", "d", "c"] {
        value_of(customer(store.handle(), "1", Some(name)).run(ledger.pay()).await);
    }
    assert_eq!(ledger.payments(), 2);
    store.record_of(&key_of("charge:1#c")).await;
}
