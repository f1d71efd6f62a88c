//! Which calls are the same.

use idempotency_runtime::{AnyStore, ErrorKind, Operation, Status, operation};

use crate::Tested;
use crate::call::*;
use crate::script::*;

/// Runs every call twice, and expects one execution of each.
async fn are_told_apart(calls: Vec<Box<dyn Fn() -> Operation + '_>>) {
    let ledger = Ledger::new();
    let mut first = Vec::new();
    for call in &calls {
        first.push(value_of(call().run(ledger.pay()).await));
    }
    assert_eq!(usize::try_from(ledger.payments()), Ok(calls.len()), "two different calls met in one record");
    for (call, receipt) in calls.iter().zip(first) {
        assert_eq!(value_of(call().run(ledger.pay()).await), receipt);
    }
}

fn parts(store: &Tested, first: &str, second: &str) -> Operation {
    operation("two_parts").part("first", first).part("second", second).ttl(TTL).store(store.handle())
}

pub async fn the_stored_key_can_be_read_by_a_person(store: &Tested) {
    value_of(parts(store, "tenant-a", "ORD-20260628-0001").run(Ledger::new().pay()).await);
    let record = store.record_of(&key_of("two_parts:tenant-a#ORD-20260628-0001")).await;
    assert_eq!(record.status, Status::Completed);
}

pub async fn parts_are_told_apart_by_where_they_end(store: &Tested) {
    are_told_apart(vec![
        Box::new(|| parts(store, "a", "bc")),
        Box::new(|| parts(store, "ab", "c")),
        Box::new(|| parts(store, "a#b", "c")),
        Box::new(|| parts(store, "a", "b#c")),
        Box::new(|| parts(store, "a%23b", "c")),
        Box::new(|| parts(store, "a%", "23b#c")),
    ])
    .await;
}

pub async fn parts_are_told_apart_by_their_order(store: &Tested) {
    are_told_apart(vec![Box::new(|| parts(store, "a", "b")), Box::new(|| parts(store, "b", "a"))]).await;
}

fn numbered(store: &Tested, number: i64) -> Operation {
    operation("numbered").part("number", &number).ttl(TTL).store(store.handle())
}

fn named(store: &Tested, name: &str) -> Operation {
    operation("named").part("name", name).ttl(TTL).store(store.handle())
}

pub async fn two_operations_with_equal_parts_both_run(store: &Tested) {
    are_told_apart(vec![Box::new(|| named(store, "1")), Box::new(|| pay(store, "1"))]).await;
}

pub async fn zero_and_false_are_values(store: &Tested) {
    let flagged = |flag: bool| operation("flagged").part("flag", &flag).ttl(TTL).store(store.handle());
    are_told_apart(vec![
        Box::new(|| numbered(store, 0)),
        Box::new(|| numbered(store, -1)),
        Box::new(|| numbered(store, 1)),
    ])
    .await;
    are_told_apart(vec![Box::new(move || flagged(false)), Box::new(move || flagged(true))]).await;
}

pub async fn numbers_beyond_what_a_double_holds_are_told_apart(store: &Tested) {
    are_told_apart(vec![
        Box::new(|| numbered(store, (1 << 53) + 1)),
        Box::new(|| numbered(store, 1 << 53)),
        Box::new(|| numbered(store, i64::MAX)),
        Box::new(|| numbered(store, i64::MIN)),
    ])
    .await;
}

pub async fn texts_are_told_apart_byte_by_byte(store: &Tested) {
    are_told_apart(
        ["order", "Order", "order ", "ord\u{e9}r", "orde\u{301}r", "order\n", "order\u{0}", "%6Frder"]
            .into_iter()
            .map(|name| Box::new(move || named(store, name)) as Box<dyn Fn() -> Operation>)
            .collect(),
    )
    .await;
}

pub async fn very_long_parts_are_told_apart(store: &Tested) {
    let long = |last: char| format!("{}{last}", "x".repeat(5_000));
    are_told_apart(vec![
        Box::new(move || named(store, &long('a'))),
        Box::new(move || named(store, &long('b'))),
    ])
    .await;
}

pub async fn namespaces_are_told_apart(store: &Tested) {
    let within = |namespace: &str| -> AnyStore {
        store.handle().with_namespace(namespace).unwrap_or_else(|error| panic!("{error}"))
    };
    are_told_apart(vec![
        Box::new(|| pay(store, "1")),
        Box::new(move || pay_at(within("orders"), "1")),
        Box::new(move || pay_at(within("billing"), "1")),
    ])
    .await;
    let record = store.record_of(&key_of("orders/pay:1")).await;
    assert_eq!(record.status, Status::Completed);
}

fn impostor(store: &Tested) -> Operation {
    operation("pay").part("order", "1").ttl(TTL).store(store.handle())
}

pub async fn two_definitions_of_one_name_are_an_error_before_the_body_runs(store: &Tested) {
    let ledger = Ledger::new();
    value_of(pay(store, "1").run(ledger.pay()).await);
    assert_refused(impostor(store).run(ledger.pay()).await, ErrorKind::DuplicateOperation);
    assert_eq!(ledger.payments(), 1);
}

pub async fn the_key_is_made_before_the_body_changes_its_input(store: &Tested) {
    let ledger = Ledger::new();
    for _ in 0..2 {
        let mut order = String::from("1");
        let call = pay(store, &order).validate(&order);
        let body = async {
            order.push_str(" changed");
            ledger.pay().await
        };
        value_of(call.run(body).await);
    }
    assert_eq!(ledger.payments(), 1);
    store.record_of(&pay_key("1")).await;
}

pub async fn two_operations_with_different_settings_share_a_store(store: &Tested) {
    let ledger = Ledger::new();
    let short = || named(store, "1").ttl(SECOND * 4).lease(SECOND * 5);
    value_of(short().run(ledger.pay()).await);
    value_of(pay(store, "1").run(ledger.pay()).await);
    assert_eq!(store.record_of(&key_of("named:1")).await.expires_at, Some(after(SECOND * 4)));
    assert_eq!(store.record_of(&pay_key("1")).await.expires_at, Some(after(TTL)));
    store.advance(SECOND * 4 + MS);
    value_of(short().run(ledger.pay()).await);
    value_of(pay(store, "1").run(ledger.pay()).await);
    assert_eq!(ledger.payments(), 3);
}
