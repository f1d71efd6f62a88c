//! Which records go away by themselves, and when.

use std::time::Duration;

use idempotency_runtime::{Claim, Epoch, Previous};

use crate::Tested;
use crate::script::*;

pub async fn a_released_record_is_forgotten_a_ttl_after_its_release(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.release(after(SECOND))).await;
    assert_eq!(store.record().await.retain_until, Some(after(SECOND + TTL)));
    store.refuses(request(ANN, after(SECOND + TTL)), Claim::OwnerUsed).await;
    let second = store.acquire(request(ANN, after(SECOND + TTL + MS))).await;
    assert_eq!((second.attempt, second.previous), (1, Previous::Nothing));
    assert!(second.epoch > first.epoch);
}

pub async fn an_abandoned_record_is_forgotten_a_ttl_after_its_claim(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let second = store.acquire(request(BOB, after(TTL + MS))).await;
    assert_eq!((second.attempt, second.previous), (1, Previous::Nothing));
    assert!(second.epoch > first.epoch);
}

pub async fn an_abandoned_record_counts_up_to_its_last_instant(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let second = store.acquire(request(BOB, after(TTL))).await;
    assert_eq!((second.attempt, second.previous), (2, Previous::Abandoned));
    assert_eq!(second.epoch, first.epoch.next());
}

pub async fn a_renewal_moves_the_retention(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.renew(after(LEASE))).await;
    assert_eq!(store.record().await.retain_until, Some(after(LEASE + TTL)));
    let second = store.acquire(request(BOB, after(LEASE + TTL))).await;
    assert_eq!(second.previous, Previous::Abandoned);
}

pub async fn an_announced_record_is_never_forgotten(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.announce(START)).await;
    assert_eq!(store.record().await.retain_until, None);
    store.apply(first.renew(after(SECOND))).await;
    assert_eq!(store.record().await.retain_until, None);
    assert_eq!(
        store.claim(request(BOB, after(CENTURY))).await,
        Claim::Unknown { since: START, lease_until: after(SECOND + LEASE) }
    );
}

pub async fn a_held_record_is_never_forgotten(store: &Tested) {
    let first = store.acquire(request(ANN, START).holding()).await;
    store.apply(first.renew(after(SECOND))).await;
    assert_eq!(store.record().await.retain_until, None);
    assert_eq!(
        store.claim(request(BOB, after(CENTURY))).await,
        Claim::Unknown { since: START, lease_until: after(SECOND + LEASE) }
    );
}

pub async fn an_unknown_record_is_never_forgotten(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.mark_unknown(after(SECOND))).await;
    assert_eq!(store.record().await.retain_until, None);
    store
        .refuses(request(BOB, after(CENTURY)), Claim::Unknown { since: START, lease_until: after(LEASE) })
        .await;
}

pub async fn an_announced_attempt_that_ends_is_forgotten_like_others(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.announce(START)).await;
    store.apply(first.complete(START)).await;
    assert_eq!(store.record().await.retain_until, Some(after(TTL)));
    let asked = request(BOB, after(TTL + MS));
    let second = store.acquire(asked.clone()).await;
    assert_eq!(store.record().await, second.record(&asked));
}

pub async fn a_held_attempt_that_is_released_is_forgotten_like_others(store: &Tested) {
    let first = store.acquire(request(ANN, START).holding()).await;
    store.apply(first.release(START)).await;
    assert_eq!(store.record().await.retain_until, Some(after(TTL)));
    let second = store.acquire(request(BOB, after(TTL + MS))).await;
    assert_eq!((second.attempt, second.previous), (1, Previous::Nothing));
}

pub async fn a_forgotten_and_a_removed_record_are_claimed_alike(store: &Tested) {
    let (forgotten, removed) = (key_of("case:forgotten"), key_of("case:removed"));
    let mut told = Vec::new();
    for key in [&forgotten, &removed] {
        let first = store.acquire(request(ANN, START).of(key).validating(1)).await;
        store.apply(first.complete(START)).await;
        if key == &removed {
            assert!(store.evict(first.evict()).await);
        }
        let asked = request(BOB, after(TTL + MS)).of(key).validating(2);
        let second = store.acquire(asked.clone()).await;
        assert_eq!(store.record_of(key).await, second.record(&asked));
        assert!(second.epoch > first.epoch);
        told.push((second.attempt, second.previous, second.lease_until));
    }
    assert_eq!(told[0], told[1]);
}

pub async fn the_epoch_grows_over_a_record_that_was_removed(store: &Tested) {
    let mut last = Epoch::new(0);
    let mut now = START;
    for _ in 0..5 {
        let first = store.acquire(request(ANN, now)).await;
        assert!(first.epoch > last);
        store.apply(first.release(now)).await;
        let second = store.acquire(request(BOB, now)).await;
        assert!(store.evict(second.evict()).await);
        last = second.epoch;
        now = now.plus(MS * 2);
    }
}

const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 3_600);
