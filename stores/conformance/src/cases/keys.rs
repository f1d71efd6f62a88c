//! Keys are compared byte by byte.

use std::collections::HashSet;

use idempotency_runtime::{Claim, IdempotencyKey};

use crate::Tested;
use crate::script::*;

/// All of them are granted, and each keeps a record of its own.
async fn are_told_apart(store: &Tested, keys: &[&str]) {
    let keys: Vec<IdempotencyKey> = keys.iter().map(|text| key_of(text)).collect();
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
    for (key, number) in keys.iter().zip(0..) {
        let held = store.acquire(request(ANN, START).of(key).validating(number)).await;
        store.apply(held.change(START, idempotency_runtime::Change::Complete(value([number])))).await;
    }
    for (key, number) in keys.iter().zip(0..) {
        let record = store.record_of(key).await;
        assert_eq!((&record.key, &record.value), (key, &Some(value([number]))));
        let again = request(BOB, START).of(key).validating(number);
        store.refuses(again, Claim::Final(Box::new(record))).await;
    }
}

pub async fn keys_that_differ_in_case_are_told_apart(store: &Tested) {
    are_told_apart(store, &["op:order", "op:Order", "op:ORDER", "Op:order"]).await;
}

pub async fn keys_that_differ_in_unicode_form_are_told_apart(store: &Tested) {
    are_told_apart(
        store,
        &["op:\u{e9}", "op:e\u{301}", "op:e", "op:\u{1f980}", "op:\u{ff0e}", "op:ß", "op:ss"],
    )
    .await;
}

pub async fn keys_that_differ_in_blanks_are_told_apart(store: &Tested) {
    are_told_apart(store, &["op:a", "op:a ", "op: a", "op:a  ", "op:\u{a0}a"]).await;
}

pub async fn keys_with_wildcards_and_quotes_are_told_apart(store: &Tested) {
    are_told_apart(
        store,
        &["op:%", "op:_", "op:a", "op:ab", "op:'", "op:\"", "op:\\", "op:''", "op:*", "op:?"],
    )
    .await;
}

pub async fn keys_that_begin_alike_are_told_apart(store: &Tested) {
    are_told_apart(store, &["op:1", "op:10", "op:1#0", "op:1#", "op:01", "op:1.0", "op:-1"]).await;
}

pub async fn keys_of_other_operations_and_namespaces_are_told_apart(store: &Tested) {
    are_told_apart(
        store,
        &["create:1", "cancel:1", "orders/create:1", "billing/create:1", "orders/cancel:1"],
    )
    .await;
}

pub async fn the_longest_keys_are_told_apart_by_their_last_byte(store: &Tested) {
    let stem = format!("op:{}", "x".repeat(508));
    let keys = [format!("{stem}a"), format!("{stem}b"), stem];
    assert_eq!(keys[0].len(), 512);
    are_told_apart(store, &keys.each_ref().map(String::as_str)).await;
}
