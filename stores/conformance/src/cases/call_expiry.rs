//! Calls after the TTL.

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
