//! One key, another request.

use idempotency_runtime::{Claim, Status, Timestamp};

use crate::Tested;
use crate::script::*;

fn mismatch(since: Timestamp, status: Status) -> Claim {
    Claim::Mismatch { since, status }
}

pub async fn the_fingerprint_is_kept_from_claim_to_outcome(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    assert_eq!(store.record().await.fingerprint, Some(fingerprint(1)));
    store.apply(first.renew(after(SECOND))).await;
    store.apply(first.complete(after(SECOND))).await;
    assert_eq!(store.record().await.fingerprint, Some(fingerprint(1)));
}

pub async fn an_equal_request_gets_the_outcome(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(first.complete(START)).await;
    let outcome = Claim::Final(Box::new(store.record().await));
    store.refuses(request(BOB, after(SECOND)).validating(1), outcome).await;
}

pub async fn another_request_than_the_completed_one_is_a_mismatch(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(first.complete(after(SECOND))).await;
    let told = mismatch(START, Status::Completed);
    store.refuses(request(BOB, after(SECOND)).validating(2), told).await;
}

pub async fn another_request_than_the_failed_one_is_a_mismatch(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(first.fail(after(SECOND))).await;
    store.refuses(request(BOB, after(SECOND)).validating(2), mismatch(START, Status::Failed)).await;
}

pub async fn another_request_than_the_running_one_is_a_mismatch_before_it_is_in_progress(store: &Tested) {
    store.acquire(request(ANN, START).validating(1)).await;
    for now in [START, after(LEASE), after(LEASE + SKEW - MS)] {
        store.refuses(request(BOB, now).validating(2), mismatch(START, Status::InProgress)).await;
    }
}

pub async fn another_request_than_the_unknown_one_is_a_mismatch(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(first.mark_unknown(START)).await;
    store.refuses(request(BOB, lease_dead()).validating(2), mismatch(START, Status::Unknown)).await;
}

pub async fn the_same_owner_with_another_request_is_a_mismatch(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    let running = mismatch(START, Status::InProgress);
    store.refuses(request(ANN, START).validating(2), running.clone()).await;
    store.refuses(request(ANN, lease_dead()).validating(2), running).await;
    store.apply(first.release(START)).await;
    store.refuses(request(ANN, START).validating(2), mismatch(START, Status::Released)).await;
}

pub async fn a_corrected_request_follows_a_released_one(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(first.release(START)).await;
    let second = store.acquire(request(BOB, START).validating(2)).await;
    assert_eq!(second.attempt, 2);
    assert_eq!(store.record().await.fingerprint, Some(fingerprint(2)));
    store.refuses(request(CAT, START).validating(1), mismatch(START, Status::InProgress)).await;
}

pub async fn a_corrected_request_follows_an_abandoned_one(store: &Tested) {
    store.acquire(request(ANN, START).validating(1)).await;
    store.acquire(request(BOB, lease_dead()).validating(2)).await;
    assert_eq!(store.record().await.fingerprint, Some(fingerprint(2)));
}

pub async fn a_corrected_request_does_not_follow_an_announced_one(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(first.announce(START)).await;
    store.refuses(request(BOB, lease_dead()).validating(2), mismatch(START, Status::InProgress)).await;
    store.apply(first.release(START)).await;
    store.refuses(request(BOB, lease_dead()).validating(2), mismatch(START, Status::Released)).await;
}

pub async fn a_corrected_request_does_not_follow_a_held_one(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1).holding()).await;
    store.refuses(request(BOB, lease_dead()).validating(2), mismatch(START, Status::InProgress)).await;
    store.apply(first.release(START)).await;
    store.refuses(request(BOB, lease_dead()).validating(2), mismatch(START, Status::Released)).await;
}

pub async fn an_equal_request_follows_an_announced_one_that_was_released(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(first.announce(START)).await;
    store.apply(first.release(START)).await;
    let asked = request(BOB, START).validating(1);
    let second = store.acquire(asked.clone()).await;
    assert_eq!(store.record().await, second.record(&asked));
}

pub async fn a_request_that_compares_nothing_agrees_with_every_record(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    let busy = Claim::InProgress { since: START, lease_until: after(LEASE) };
    store.refuses(request(BOB, START), busy).await;
    store.apply(first.complete(START)).await;
    let outcome = Claim::Final(Box::new(store.record().await));
    store.refuses(request(BOB, START), outcome).await;
}

pub async fn a_record_that_compares_nothing_agrees_with_every_request(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let busy = Claim::InProgress { since: START, lease_until: after(LEASE) };
    store.refuses(request(BOB, START).validating(1), busy).await;
    store.apply(first.complete(START)).await;
    let outcome = Claim::Final(Box::new(store.record().await));
    store.refuses(request(BOB, START).validating(2), outcome).await;
}

pub async fn a_takeover_that_compares_nothing_leaves_no_fingerprint(store: &Tested) {
    store.acquire(request(ANN, START).validating(1)).await;
    store.acquire(request(BOB, lease_dead())).await;
    assert_eq!(store.record().await.fingerprint, None);
}

pub async fn an_expired_outcome_is_no_mismatch(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(first.complete(START).buried_for(TTL)).await;
    let late = after(TTL + MS);
    store
        .refuses(request(BOB, late).validating(2).rejecting_late(), Claim::Expired { since: after(TTL) })
        .await;
    store.acquire(request(BOB, late).validating(2)).await;
    assert_eq!(store.record().await.fingerprint, Some(fingerprint(2)));
}

pub async fn fingerprints_are_compared_whole(store: &Tested) {
    let whole = fingerprint(1).to_bytes();
    let with = |bytes: &[u8]| idempotency_runtime::Fingerprint::from_bytes(bytes);
    let mut asked = request(ANN, START);
    asked.fingerprint = with(&whole);
    store.acquire(asked).await;
    for at in 0..whole.len() {
        let mut changed = whole;
        changed[at] ^= 1;
        let mut asked = request(BOB, START);
        asked.fingerprint = with(&changed);
        let told = store.claim(asked).await;
        assert_eq!(
            told,
            mismatch(START, Status::InProgress),
            "byte {at} of the fingerprint was not compared"
        );
    }
}
