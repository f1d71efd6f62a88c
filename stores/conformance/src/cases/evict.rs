//! Reading and removing records by key.

use idempotency_runtime::{Epoch, Evict, Previous, Status};

use crate::Tested;
use crate::script::*;

pub async fn an_evicted_record_is_gone(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(START)).await;
    assert!(store.evict(first.evict()).await);
    assert_eq!(store.inspect(&key()).await, None);
    assert!(!store.evict(first.evict()).await);
}

pub async fn records_of_every_status_can_be_evicted(store: &Tested) {
    let held = |number: u8| request(ANN, START).of(&key_of(&format!("case:{number}")));
    let claims = [
        store.acquire(held(0)).await,
        store.acquire(held(1)).await,
        store.acquire(held(2)).await,
        store.acquire(held(3)).await,
        store.acquire(held(4)).await,
    ];
    store.apply(claims[1].release(START)).await;
    store.apply(claims[2].complete(START)).await;
    store.apply(claims[3].fail(START)).await;
    store.apply(claims[4].mark_unknown(START)).await;
    for claim in &claims {
        assert!(store.evict(claim.evict()).await);
        assert_eq!(store.inspect(&claim.key).await, None);
    }
}

pub async fn an_evicted_key_is_claimed_afresh(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(first.mark_unknown(START)).await;
    assert!(store.evict(first.evict()).await);
    let asked = request(BOB, after(SECOND)).validating(2);
    let second = store.acquire(asked.clone()).await;
    assert_eq!((second.attempt, second.previous), (1, Previous::Nothing));
    assert!(second.epoch > first.epoch);
    assert_eq!(store.record().await, second.record(&asked));
}

pub async fn evicting_another_epoch_removes_nothing(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let second = store.acquire(request(BOB, lease_dead())).await;
    let before = store.record().await;
    assert!(!store.evict(first.evict()).await);
    for epoch in [0, second.epoch.get() + 1] {
        assert!(!store.evict(Evict::new(key(), Epoch::new(epoch))).await);
    }
    assert_eq!(store.record().await, before);
}

pub async fn evicting_a_key_without_a_record_removes_nothing(store: &Tested) {
    assert!(!store.evict(Evict::new(key(), Epoch::first(START))).await);
}

pub async fn evicting_leaves_other_keys_alone(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let other = key_of("case:2");
    store.acquire(request(ANN, START).of(&other)).await;
    let before = store.record_of(&other).await;
    assert!(store.evict(first.evict()).await);
    assert_eq!(store.record_of(&other).await, before);
}

pub async fn reading_a_record_changes_nothing(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.announce(START)).await;
    let before = store.record().await;
    for _ in 0..3 {
        assert_eq!(store.record().await, before);
    }
}

pub async fn a_record_that_stands_elsewhere_by_now_is_not_evicted(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(START)).await;
    let before = store.record().await;
    for seen in [Status::InProgress, Status::Released, Status::Failed, Status::Unknown] {
        assert!(!store.evict(first.evict().standing(seen)).await);
    }
    assert_eq!(store.record().await, before);
    assert!(store.evict(first.evict().standing(Status::Completed)).await);
    assert_eq!(store.inspect(&key()).await, None);
}
