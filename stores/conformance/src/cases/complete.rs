//! The final writes of an owner: completed and failed.

use idempotency_runtime::{Change, Refusal, Status, Written};

use crate::Tested;
use crate::script::*;

pub async fn a_completion_is_recorded_whole(store: &Tested) {
    let asked = request(ANN, START).validating(1);
    let first = store.acquire(asked.clone()).await;
    let written = store.write(first.complete(after(SECOND))).await;
    assert_eq!(written, Written::Applied { lease_until: after(LEASE) });
    let mut expected = first.record(&asked);
    expected.status = Status::Completed;
    expected.value = Some(value(r#""done""#));
    expected.completed_at = Some(after(SECOND));
    expected.expires_at = Some(after(SECOND + TTL));
    expected.retain_until = Some(after(SECOND + TTL));
    assert_eq!(store.record().await, expected);
}

pub async fn a_failure_is_recorded_whole(store: &Tested) {
    let asked = request(ANN, START).validating(1);
    let first = store.acquire(asked.clone()).await;
    store.apply(first.fail(after(SECOND)).buried_for(SECOND)).await;
    let mut expected = first.record(&asked);
    expected.status = Status::Failed;
    expected.value = Some(value(r#""failed""#));
    expected.completed_at = Some(after(SECOND));
    expected.expires_at = Some(after(SECOND + TTL));
    expected.retain_until = Some(after(SECOND * 2 + TTL));
    assert_eq!(store.record().await, expected);
}

pub async fn a_completion_keeps_what_was_announced(store: &Tested) {
    let first = store.acquire(request(ANN, START).holding()).await;
    store.apply(first.announce(START)).await;
    store.apply(first.complete(START)).await;
    assert!(store.record().await.announced);
}

pub async fn a_completion_sent_again_is_already_done(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(after(SECOND))).await;
    store.ignores(first.complete(after(SECOND * 2)), Written::AlreadyDone).await;
}

pub async fn a_failure_sent_again_is_already_done(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.fail(after(SECOND))).await;
    store.ignores(first.fail(after(SECOND * 2)), Written::AlreadyDone).await;
}

pub async fn the_first_outcome_of_an_owner_stands(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(START)).await;
    let other = first.change(START, Change::Complete(value("other")));
    store.ignores(other, Written::AlreadyDone).await;
    assert_eq!(store.record().await.value, Some(value(r#""done""#)));
}

pub async fn a_completion_past_the_lease_is_applied_while_nobody_has_taken_over(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(lease_dead().plus(LEASE))).await;
    assert_eq!(store.record().await.status, Status::Completed);
}

pub async fn a_failure_past_the_lease_is_applied_while_nobody_has_taken_over(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.fail(lease_dead().plus(LEASE))).await;
    assert_eq!(store.record().await.status, Status::Failed);
}

pub async fn nothing_changes_a_completed_record(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.complete(START)).await;
    let finished = Written::Refused(Refusal::Finished(Box::new(store.record().await)));
    for write in first.changes(after(SECOND)) {
        if !matches!(write.change, Change::Complete(_)) {
            store.ignores(write, finished.clone()).await;
        }
    }
}

pub async fn nothing_changes_a_failed_record(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.fail(START)).await;
    let finished = Written::Refused(Refusal::Finished(Box::new(store.record().await)));
    for write in first.changes(after(SECOND)) {
        if !matches!(write.change, Change::Fail(_)) {
            store.ignores(write, finished.clone()).await;
        }
    }
}

pub async fn a_write_to_a_key_without_a_record_creates_none(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let stranger = Held { key: key_of("case:2"), ..first };
    for write in stranger.changes(START) {
        store.ignores(write, Written::Refused(Refusal::Gone)).await;
    }
    assert_eq!(store.inspect(&stranger.key).await, None);
}

pub async fn a_write_changes_its_own_key_only(store: &Tested) {
    let (one, other) = (key_of("case:1"), key_of("case:2"));
    let first = store.acquire(request(ANN, START).of(&one)).await;
    store.acquire(request(ANN, START).of(&other)).await;
    let before = store.record_of(&other).await;
    store.apply(first.complete(START)).await;
    assert_eq!(store.record_of(&other).await, before);
}
