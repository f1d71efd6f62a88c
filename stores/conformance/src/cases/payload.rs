//! What is written is what is read.

use std::sync::Arc;

use idempotency_runtime::{Change, OwnerToken, RecordedValue};

use crate::Tested;
use crate::script::*;

async fn comes_back(store: &Tested, number: usize, recorded: RecordedValue) {
    let key = key_of(&format!("case:{number}"));
    let first = store.acquire(request(ANN, START).of(&key)).await;
    store.apply(first.change(START, Change::Complete(recorded.clone()))).await;
    let read = store.record_of(&key).await.value;
    assert!(read == Some(recorded), "value number {number} came back changed");
}

pub async fn bytes_come_back_exactly(store: &Tested) {
    let every_byte: Vec<u8> = (0..=255).collect();
    let values: [&[u8]; 12] = [
        b"",
        b"null",
        b"0",
        b"false",
        b"\"\"",
        b"{}",
        b"[]",
        b" spaced ",
        b"\x00",
        b"ends in zero\x00",
        "\u{feff}\u{1f980} e\u{301} \u{e9} '\"\\%_;--".as_bytes(),
        &every_byte,
    ];
    for (number, bytes) in values.into_iter().enumerate() {
        comes_back(store, number, value(bytes)).await;
    }
}

pub async fn a_value_that_was_not_kept_stays_apart_from_an_empty_one(store: &Tested) {
    comes_back(store, 1, RecordedValue::new(1, None)).await;
    comes_back(store, 2, RecordedValue::new(1, Some(Arc::from([])))).await;
}

pub async fn the_version_of_a_value_comes_back(store: &Tested) {
    for (number, version) in [0, 1, 2, i32::MAX as u32 + 1, u32::MAX].into_iter().enumerate() {
        comes_back(store, number, RecordedValue::new(version, Some(Arc::from(*b"1")))).await;
    }
}

pub async fn the_value_of_a_failure_comes_back(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let recorded = RecordedValue::new(7, Some(Arc::from(*b"\x00\xffdenied")));
    store.apply(first.change(START, Change::Fail(recorded.clone()))).await;
    assert_eq!(store.record().await.value, Some(recorded));
}

pub async fn owner_tokens_come_back_exactly(store: &Tested) {
    let mut counting = [0; 16];
    counting.iter_mut().zip(0..).for_each(|(byte, number)| *byte = number);
    let tokens = [[0; 16], [0xff; 16], counting, *b"' OR 1=1 --\x00\n\x80\xfe "];
    for (number, bytes) in tokens.into_iter().enumerate() {
        let key = key_of(&format!("case:{number}"));
        let owner = OwnerToken::from_bytes(bytes);
        let held = store.acquire(request(owner, START).of(&key)).await;
        assert_eq!(store.record_of(&key).await.owner, owner);
        store.apply(held.complete(START)).await;
    }
}

pub async fn large_numbers_come_back_exactly(store: &Tested) {
    // Beyond what a double holds exactly.
    let now = idempotency_runtime::Timestamp::from_millis((1 << 53) + 1);
    let asked = request(ANN, now);
    let first = store.acquire(asked.clone()).await;
    assert_eq!(first.epoch.get(), (1 << 53) + 2);
    assert_eq!(store.record().await, first.record(&asked));
    store.apply(first.complete(now)).await;
    assert_eq!(store.record().await.completed_at, Some(now));
}
