//! What a claim finds, and what it writes.

use idempotency_runtime::{Claim, Epoch, OnCrash, Previous, Status};

use crate::Tested;
use crate::script::*;

pub async fn a_new_key_has_no_record(store: &Tested) {
    assert_eq!(store.inspect(&key()).await, None);
}

pub async fn the_first_claim_of_a_key_is_granted(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    assert_eq!(first.attempt, 1);
    assert_eq!(first.previous, Previous::Nothing);
    assert_eq!(first.lease_until, after(LEASE));
}

pub async fn a_granted_claim_is_recorded_whole(store: &Tested) {
    let asked = request(ANN, START).validating(1);
    let first = store.acquire(asked.clone()).await;
    let record = store.record().await;
    assert_eq!(record, first.record(&asked));
    assert_eq!((record.status, record.value), (Status::InProgress, None));
    assert_eq!(record.retain_until, Some(after(TTL)));
}

pub async fn a_claim_of_a_held_operation_records_the_policy(store: &Tested) {
    let asked = request(ANN, START).holding();
    let first = store.acquire(asked.clone()).await;
    let record = store.record().await;
    assert_eq!(record, first.record(&asked));
    assert_eq!((record.on_crash, record.retain_until), (OnCrash::Hold, None));
}

pub async fn a_claim_without_a_fingerprint_records_none(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    assert_eq!(store.record().await.fingerprint, None);
}

pub async fn the_first_epoch_is_the_time_of_the_claim_plus_one(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    assert_eq!(first.epoch, Epoch::new(START.as_millis() + 1));
}

pub async fn a_claim_leaves_other_keys_free(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    store.acquire(request(ANN, START).of(&key_of("case:2"))).await;
    store.acquire(request(BOB, START).of(&key_of("case:3"))).await;
}

pub async fn a_completed_outcome_answers_the_next_claim(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(after(SECOND))).await;
    let record = store.record().await;
    assert_eq!(record.value, Some(value(r#""done""#)));
    store.refuses(request(BOB, after(SECOND)), Claim::Final(Box::new(record))).await;
}

pub async fn a_failed_outcome_answers_the_next_claim(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.fail(after(SECOND))).await;
    let record = store.record().await;
    assert_eq!((record.status, &record.value), (Status::Failed, &Some(value(r#""failed""#))));
    store.refuses(request(BOB, after(SECOND)), Claim::Final(Box::new(record))).await;
}

pub async fn an_outcome_answers_every_later_claim_alike(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(START)).await;
    let record = store.record().await;
    for minute in 1..=3 {
        let now = after(SECOND * 60 * minute);
        store.refuses(request(BOB, now), Claim::Final(Box::new(record.clone()))).await;
    }
}

pub async fn an_outcome_answers_its_own_owner_too(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(START)).await;
    let record = store.record().await;
    store.refuses(request(ANN, after(SECOND)), Claim::Final(Box::new(record))).await;
}

pub async fn a_released_key_goes_to_the_next_owner(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.release(after(SECOND))).await;
    let asked = request(BOB, after(SECOND));
    let second = store.acquire(asked.clone()).await;
    assert_eq!((second.epoch, second.attempt), (first.epoch.next(), 2));
    assert_eq!(second.previous, Previous::Released);
    assert_eq!(store.record().await, second.record(&asked));
}

pub async fn a_released_key_is_not_given_back_to_the_owner_that_released_it(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.release(after(SECOND))).await;
    store.refuses(request(ANN, after(SECOND)), Claim::OwnerUsed).await;
}

pub async fn attempts_are_counted_over_every_release(store: &Tested) {
    for (attempt, owner) in (1..).zip([ANN, BOB, CAT, ANN]) {
        let held = store.acquire(request(owner, START)).await;
        assert_eq!(held.attempt, attempt);
        store.apply(held.release(START)).await;
    }
}

pub async fn an_unknown_outcome_is_told_and_never_claimed(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.mark_unknown(after(SECOND))).await;
    for owner in [ANN, BOB] {
        store
            .refuses(
                request(owner, after(LEASE * 10)),
                Claim::Unknown { since: START, lease_until: after(LEASE) },
            )
            .await;
    }
}

pub async fn a_claim_judges_by_the_time_it_is_given(store: &Tested) {
    if store.capabilities().native_ttl {
        return crate::run::skip("the store removes records of the past by itself");
    }
    // Long ago and far ahead of any clock the store could read.
    for (number, millis) in [1_000, 32_503_680_000_000].into_iter().enumerate() {
        let now = idempotency_runtime::Timestamp::from_millis(millis);
        let key = key_of(&format!("case:{number}"));
        let first = store.acquire(request(ANN, now).of(&key)).await;
        assert_eq!(first.epoch, Epoch::new(millis + 1));
        let busy = Claim::InProgress { since: now, lease_until: now.plus(LEASE) };
        store.refuses(request(BOB, now.plus(LEASE)).of(&key), busy).await;
        let second = store.acquire(request(BOB, now.plus(LEASE + SKEW)).of(&key)).await;
        assert_eq!(second.previous, Previous::Abandoned);
    }
}

pub async fn a_store_that_says_it_is_ready_can_be_claimed(store: &Tested) {
    if let Err(error) = store.handle().ready().await {
        panic!("a fresh store is not ready: {error:?}");
    }
    store.acquire(request(ANN, START)).await;
}
