//! Renewals and announcements.

use idempotency_runtime::{Change, Claim, Status, Written};

use crate::Tested;
use crate::script::*;

pub async fn a_renewal_moves_the_lease_and_nothing_else(store: &Tested) {
    let asked = request(ANN, START).validating(1);
    let first = store.acquire(asked.clone()).await;
    let written = store.write(first.renew(after(SECOND))).await;
    assert_eq!(written, Written::Applied { lease_until: after(SECOND + LEASE) });
    let mut expected = first.record(&asked);
    expected.lease_until = after(SECOND + LEASE);
    expected.retain_until = Some(after(SECOND + TTL));
    assert_eq!(store.record().await, expected);
}

pub async fn a_renewal_that_is_not_later_changes_nothing(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.renew(after(SECOND))).await;
    let stored = Written::Applied { lease_until: after(SECOND + LEASE) };
    store.ignores(first.renew(after(SECOND)), stored.clone()).await;
    // An older renewal arrives after a newer one.
    store.ignores(first.renew(START), stored).await;
}

pub async fn a_lease_is_never_shortened(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let shorter = first.change(after(SECOND), Change::Renew { lease_until: after(SECOND) });
    store.ignores(shorter, Written::Applied { lease_until: after(LEASE) }).await;
}

pub async fn a_dead_lease_is_renewed_while_nobody_has_taken_over(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let late = lease_dead().plus(SECOND);
    store.apply(first.renew(late)).await;
    let busy = Claim::InProgress { since: START, lease_until: late.plus(LEASE) };
    store.refuses(request(BOB, late), busy).await;
}

pub async fn an_announcement_is_recorded(store: &Tested) {
    let asked = request(ANN, START);
    let first = store.acquire(asked.clone()).await;
    let written = store.write(first.announce(after(SECOND))).await;
    assert_eq!(written, Written::Applied { lease_until: after(LEASE) });
    let mut expected = first.record(&asked);
    expected.announced = true;
    expected.retain_until = None;
    assert_eq!(store.record().await, expected);
}

pub async fn an_announcement_sent_again_is_applied_again(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.announce(START)).await;
    let before = store.record().await;
    store.apply(first.announce(after(SECOND))).await;
    assert_eq!(store.record().await, before);
}

pub async fn a_renewal_keeps_an_announcement(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.announce(START)).await;
    store.apply(first.renew(after(SECOND))).await;
    let record = store.record().await;
    assert!(record.announced);
    assert_eq!(record.lease_until, after(SECOND + LEASE));
}

pub async fn an_announced_attempt_whose_lease_is_dead_becomes_unknown(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.announce(START)).await;
    becomes_unknown(store).await;
}

pub async fn a_held_attempt_whose_lease_is_dead_becomes_unknown(store: &Tested) {
    store.acquire(request(ANN, START).holding()).await;
    becomes_unknown(store).await;
}

/// The policy is on the record: the next caller need not share it.
async fn becomes_unknown(store: &Tested) {
    let running = store.record().await;
    assert_eq!(
        store.claim(request(BOB, lease_dead())).await,
        Claim::Unknown { since: START, lease_until: after(LEASE) }
    );
    let mut expected = running;
    expected.status = Status::Unknown;
    assert_eq!(store.record().await, expected);
    store
        .refuses(request(CAT, lease_dead()), Claim::Unknown { since: START, lease_until: after(LEASE) })
        .await;
}

pub async fn an_announced_attempt_is_in_progress_while_its_lease_lives(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.announce(START)).await;
    let busy = Claim::InProgress { since: START, lease_until: after(LEASE) };
    store.refuses(request(BOB, after(LEASE + SKEW - MS)), busy).await;
}

pub async fn an_attempt_that_does_not_hold_is_rerun_by_an_operation_that_does(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    let second = store.acquire(request(BOB, lease_dead()).holding()).await;
    assert_eq!(second.attempt, 2);
}

pub async fn a_takeover_starts_unannounced(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.announce(START)).await;
    store.apply(first.release(START)).await;
    store.acquire(request(BOB, START)).await;
    assert!(!store.record().await.announced);
}
