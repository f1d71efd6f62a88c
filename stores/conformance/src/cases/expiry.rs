//! After the TTL.

use idempotency_runtime::{Claim, Previous, Status};

use crate::Tested;
use crate::script::*;

pub async fn an_outcome_is_replayed_up_to_and_including_its_last_instant(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(after(SECOND))).await;
    let record = store.record().await;
    assert_eq!(record.expires_at, Some(after(SECOND + TTL)));
    for now in [after(SECOND + TTL - MS), after(SECOND + TTL)] {
        store.refuses(request(BOB, now), Claim::Final(Box::new(record.clone()))).await;
    }
}

pub async fn an_outcome_past_its_ttl_is_run_again(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(first.complete(START)).await;
    let asked = request(BOB, after(TTL + MS)).validating(2);
    let second = store.acquire(asked.clone()).await;
    assert_eq!((second.attempt, second.previous), (1, Previous::Nothing));
    assert!(second.epoch > first.epoch);
    assert_eq!(store.record().await, second.record(&asked), "nothing of the old outcome may stay");
}

pub async fn a_failure_past_its_ttl_is_run_again(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.fail(START)).await;
    let asked = request(BOB, after(TTL + MS));
    let second = store.acquire(asked.clone()).await;
    assert_eq!(store.record().await, second.record(&asked), "nothing of the old outcome may stay");
}

pub async fn the_ttl_counts_from_completion(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.renew(after(LEASE / 2))).await;
    let done = after(LEASE);
    store.apply(first.complete(done)).await;
    let record = store.record().await;
    assert_eq!((record.completed_at, record.expires_at), (Some(done), Some(done.plus(TTL))));
    store.refuses(request(BOB, done.plus(TTL)), Claim::Final(Box::new(record))).await;
    store.acquire(request(BOB, done.plus(TTL + MS))).await;
}

pub async fn the_ttl_of_an_outcome_is_that_of_its_completion(store: &Tested) {
    let first = store.acquire(request(ANN, START).keeping(TTL)).await;
    store.apply(first.complete(START).kept_for(SECOND)).await;
    assert_eq!(store.record().await.retain_until, Some(after(SECOND)));
    store.acquire(request(BOB, after(SECOND + MS))).await;
}

pub async fn the_ttl_of_a_later_caller_changes_nothing(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(START)).await;
    let outcome = Claim::Final(Box::new(store.record().await));
    store.refuses(request(BOB, after(TTL / 2)).keeping(MS), outcome.clone()).await;
    store.refuses(request(BOB, after(TTL)).keeping(TTL * 9), outcome).await;
}

pub async fn a_second_run_after_the_ttl_has_an_outcome_of_its_own(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(START)).await;
    let late = after(TTL + MS);
    let second = store.acquire(request(BOB, late)).await;
    store.apply(second.change(late, idempotency_runtime::Change::Complete(value("again")))).await;
    let record = store.record().await;
    assert_eq!(record.value, Some(value("again")));
    store.refuses(request(CAT, late.plus(TTL)), Claim::Final(Box::new(record))).await;
}

pub async fn an_expired_record_is_still_shown_as_it_is(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(START).buried_for(TTL)).await;
    let late = request(BOB, after(TTL + MS)).rejecting_late();
    store.refuses(late, Claim::Expired { since: after(TTL) }).await;
    let record = store.record().await;
    assert_eq!((record.status, record.expires_at), (Status::Completed, Some(after(TTL))));
    assert_eq!(record.retain_until, Some(after(TTL * 2)));
}

pub async fn a_late_retry_is_rejected_as_long_as_the_tombstone_stands(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(START).buried_for(TTL)).await;
    for now in [after(TTL + MS), after(TTL * 2)] {
        store.refuses(request(BOB, now).rejecting_late(), Claim::Expired { since: after(TTL) }).await;
    }
    store.acquire(request(BOB, after(TTL * 2 + MS)).rejecting_late()).await;
}

pub async fn a_late_retry_of_a_failure_is_rejected_too(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.fail(START).buried_for(TTL)).await;
    let late = request(BOB, after(TTL + MS)).rejecting_late();
    store.refuses(late, Claim::Expired { since: after(TTL) }).await;
}

pub async fn an_operation_that_rejects_late_retries_still_replays_in_time(store: &Tested) {
    let first = store.acquire(request(ANN, START).rejecting_late()).await;
    store.apply(first.complete(START).buried_for(TTL)).await;
    let outcome = Claim::Final(Box::new(store.record().await));
    store.refuses(request(BOB, after(TTL)).rejecting_late(), outcome).await;
}

pub async fn a_tombstone_does_not_stop_an_operation_that_runs_late_retries(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(START).buried_for(TTL)).await;
    let second = store.acquire(request(BOB, after(TTL + MS))).await;
    assert_eq!((second.attempt, second.previous), (1, Previous::Nothing));
    assert_eq!(second.epoch, first.epoch.next());
}

pub async fn a_late_retry_without_a_tombstone_runs_even_where_late_retries_are_rejected(store: &Tested) {
    let first = store.acquire(request(ANN, START).rejecting_late()).await;
    store.apply(first.complete(START)).await;
    store.acquire(request(BOB, after(TTL + MS)).rejecting_late()).await;
}

pub async fn only_final_outcomes_expire(store: &Tested) {
    store.acquire(request(ANN, START).keeping(SECOND)).await;
    let busy = Claim::InProgress { since: START, lease_until: after(LEASE) };
    store.refuses(request(BOB, after(SECOND * 2)).rejecting_late(), busy).await;
}

pub async fn a_ttl_without_end_never_expires(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let forever = std::time::Duration::MAX;
    store.apply(first.complete(START).kept_for(forever).buried_for(forever)).await;
    // The year 9999.
    let far = idempotency_runtime::Timestamp::from_millis(253_402_300_799_999);
    let answer = store.claim(request(BOB, far)).await;
    assert!(matches!(answer, Claim::Final(_)), "{answer:?}");
}
