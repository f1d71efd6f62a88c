//! Small and large values.

use std::sync::Arc;

use idempotency_runtime::{Change, RecordedValue, Status, StoreErrorKind};

use crate::Tested;
use crate::run::skip;
use crate::script::*;

fn bytes(length: usize) -> Arc<[u8]> {
    // Does not repeat at a page or a power of two.
    (0..=250).cycle().take(length).collect()
}

async fn comes_back(store: &Tested, length: usize) {
    let first = store.acquire(request(ANN, START)).await;
    let recorded = RecordedValue::new(1, Some(bytes(length)));
    store.apply(first.change(START, Change::Complete(recorded.clone()))).await;
    let read = store.record().await.value;
    assert!(read == Some(recorded), "{length} bytes came back changed: {read:?}");
}

pub async fn a_value_of_one_byte_comes_back(store: &Tested) {
    comes_back(store, 1).await;
}

pub async fn a_value_of_many_pages_comes_back(store: &Tested) {
    comes_back(store, 300_001).await;
}

pub async fn a_value_of_a_few_megabytes_comes_back(store: &Tested) {
    let length = (4 << 20) + 1;
    match store.capabilities().max_value_bytes {
        Some(limit) if limit < length => skip("the store takes no value of 4 MiB"),
        _ => comes_back(store, length).await,
    }
}

/// The largest limit that a test can afford to reach.
const REACHABLE: usize = 64 << 20;

fn reachable_limit(store: &Tested) -> Option<usize> {
    match store.capabilities().max_value_bytes {
        Some(limit) if limit <= REACHABLE => Some(limit),
        Some(_) => {
            skip("the limit of the store is too large for a test to reach");
            None
        }
        None => {
            skip("the store names no limit");
            None
        }
    }
}

pub async fn a_value_at_the_limit_is_taken(store: &Tested) {
    if let Some(limit) = reachable_limit(store) {
        comes_back(store, limit).await;
    }
}

pub async fn a_value_over_the_limit_is_refused_and_the_claim_stays(store: &Tested) {
    let Some(limit) = reachable_limit(store) else { return };
    let asked = request(ANN, START);
    let first = store.acquire(asked.clone()).await;
    let large = RecordedValue::new(1, Some(bytes(limit + 1)));
    let refused = store.handle().write(first.change(START, Change::Complete(large))).await;
    match refused {
        Err(error) => assert_eq!(error.kind(), StoreErrorKind::TooLarge, "{error}"),
        Ok(answer) => panic!("{} bytes were taken over a limit of {limit}: {answer:?}", limit + 1),
    }
    assert_eq!(store.record().await, first.record(&asked));
    store.apply(first.change(START, Change::Complete(RecordedValue::new(1, None)))).await;
    assert_eq!(store.record().await.status, Status::Completed);
}

pub async fn a_value_over_the_limit_settles_nothing(store: &Tested) {
    let Some(limit) = reachable_limit(store) else { return };
    store.acquire(request(ANN, START).holding()).await;
    let bob = store.probe(request(BOB, lease_dead())).await;
    let before = store.record().await;
    let large = RecordedValue::new(1, Some(bytes(limit + 1)));
    match store.handle().write(bob.change(lease_dead(), Change::ResolveApplied(large))).await {
        Err(error) => assert_eq!(error.kind(), StoreErrorKind::TooLarge, "{error}"),
        Ok(answer) => panic!("{} bytes were taken over a limit of {limit}: {answer:?}", limit + 1),
    }
    assert_eq!(store.record().await, before);
    store.apply(bob.change(lease_dead(), Change::ResolveApplied(RecordedValue::new(1, None)))).await;
    assert_eq!(store.record().await.status, Status::Completed);
}
