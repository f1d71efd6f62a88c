//! Attempts that end without an outcome: released and unknown.

use idempotency_runtime::{Change, Refusal, Status, Written};

use crate::Tested;
use crate::script::*;

pub async fn a_release_keeps_owner_and_epoch(store: &Tested) {
    let asked = request(ANN, START).validating(1);
    let first = store.acquire(asked.clone()).await;
    store.apply(first.release(after(SECOND))).await;
    let mut expected = first.record(&asked);
    expected.status = Status::Released;
    expected.retain_until = Some(after(SECOND + TTL));
    assert_eq!(store.record().await, expected);
}

pub async fn a_release_sent_again_is_already_done(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.release(START)).await;
    store.ignores(first.release(after(SECOND)), Written::AlreadyDone).await;
}

pub async fn a_release_past_the_lease_is_applied_while_nobody_has_taken_over(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.release(lease_dead().plus(LEASE))).await;
    assert_eq!(store.record().await.status, Status::Released);
}

pub async fn a_released_attempt_takes_no_other_write(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.release(START)).await;
    let taken_over = Written::Refused(Refusal::TakenOver);
    store.ignores(first.complete(START), taken_over.clone()).await;
    store.ignores(first.fail(START), taken_over.clone()).await;
    store.ignores(first.renew(after(SECOND)), taken_over.clone()).await;
    store.ignores(first.announce(START), taken_over.clone()).await;
    store.ignores(first.mark_unknown(START), taken_over).await;
}

pub async fn an_unknown_outcome_is_recorded_whole(store: &Tested) {
    let asked = request(ANN, START).validating(1);
    let first = store.acquire(asked.clone()).await;
    store.apply(first.mark_unknown(after(SECOND))).await;
    let mut expected = first.record(&asked);
    expected.status = Status::Unknown;
    expected.retain_until = None;
    assert_eq!(store.record().await, expected);
}

pub async fn an_unknown_outcome_sent_again_is_already_done(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.mark_unknown(START)).await;
    store.ignores(first.mark_unknown(after(SECOND)), Written::AlreadyDone).await;
}

pub async fn an_unknown_attempt_takes_no_other_write(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.mark_unknown(START)).await;
    let taken_over = Written::Refused(Refusal::TakenOver);
    store.ignores(first.complete(START), taken_over.clone()).await;
    store.ignores(first.fail(START), taken_over.clone()).await;
    store.ignores(first.renew(after(SECOND)), taken_over.clone()).await;
    store.ignores(first.announce(START), taken_over.clone()).await;
    store.ignores(first.release(START), taken_over).await;
}

pub async fn a_release_by_hand_frees_an_attempt_that_has_announced_nothing(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.change(START, Change::ReleaseByHand)).await;
    assert_eq!(store.record().await.status, Status::Released);
    store.ignores(first.change(START, Change::ReleaseByHand), Written::AlreadyDone).await;
    store.acquire(request(BOB, after(SECOND))).await;
}

pub async fn a_release_by_hand_frees_nothing_that_may_have_happened(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.announce(START)).await;
    let refused = Written::Refused(Refusal::TakenOver);
    store.ignores(first.change(START, Change::ReleaseByHand), refused.clone()).await;
    // Its owner may say that nothing has happened.
    store.apply(first.release(START)).await;
    let held = store.acquire(request(BOB, after(SECOND)).holding()).await;
    store.ignores(held.change(after(SECOND), Change::ReleaseByHand), refused).await;
}
