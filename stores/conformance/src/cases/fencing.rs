//! Owners that come too late.

use idempotency_runtime::{Change, Claim, Epoch, Refusal, Status, Written};

use crate::Tested;
use crate::script::*;

const TAKEN_OVER: Written = Written::Refused(Refusal::TakenOver);
const GONE: Written = Written::Refused(Refusal::Gone);

/// Ann, whose lease died, and Bob, who took over.
async fn taken_over(store: &Tested) -> (Held, Held) {
    let ann = store.acquire(request(ANN, START)).await;
    let bob = store.acquire(request(BOB, lease_dead())).await;
    (ann, bob)
}

pub async fn a_late_completion_is_refused(store: &Tested) {
    let (ann, _) = taken_over(store).await;
    store.ignores(ann.complete(lease_dead()), TAKEN_OVER).await;
}

pub async fn a_late_failure_is_refused(store: &Tested) {
    let (ann, _) = taken_over(store).await;
    store.ignores(ann.fail(lease_dead()), TAKEN_OVER).await;
}

pub async fn a_late_release_is_refused(store: &Tested) {
    let (ann, _) = taken_over(store).await;
    store.ignores(ann.release(lease_dead()), TAKEN_OVER).await;
}

pub async fn a_late_unknown_is_refused(store: &Tested) {
    let (ann, _) = taken_over(store).await;
    store.ignores(ann.mark_unknown(lease_dead()), TAKEN_OVER).await;
}

pub async fn a_late_announcement_is_refused(store: &Tested) {
    let (ann, _) = taken_over(store).await;
    store.ignores(ann.announce(lease_dead()), TAKEN_OVER).await;
}

pub async fn a_late_renewal_does_not_steal_the_lease_back(store: &Tested) {
    let (ann, bob) = taken_over(store).await;
    let far = Change::Renew { lease_until: lease_dead().plus(LEASE * 10) };
    store.ignores(ann.change(lease_dead(), far), TAKEN_OVER).await;
    store.apply(bob.complete(lease_dead())).await;
}

pub async fn the_new_owner_is_not_disturbed_by_the_late_one(store: &Tested) {
    let (ann, bob) = taken_over(store).await;
    for write in ann.changes(lease_dead()) {
        store.ignores(write, TAKEN_OVER).await;
    }
    store.apply(bob.renew(lease_dead().plus(SECOND))).await;
    store.apply(bob.complete(lease_dead().plus(SECOND))).await;
    assert_eq!(store.record().await.owner, BOB);
}

pub async fn a_late_owner_gets_the_completed_outcome_of_the_new_one(store: &Tested) {
    let (ann, bob) = taken_over(store).await;
    store.apply(bob.complete(lease_dead())).await;
    let finished = Written::Refused(Refusal::Finished(Box::new(store.record().await)));
    for write in ann.changes(lease_dead()) {
        store.ignores(write, finished.clone()).await;
    }
}

pub async fn a_late_owner_gets_the_failed_outcome_of_the_new_one(store: &Tested) {
    let (ann, bob) = taken_over(store).await;
    store.apply(bob.fail(lease_dead())).await;
    let finished = Written::Refused(Refusal::Finished(Box::new(store.record().await)));
    for write in ann.changes(lease_dead()) {
        store.ignores(write, finished.clone()).await;
    }
}

pub async fn a_late_owner_is_refused_after_the_new_one_released(store: &Tested) {
    let (ann, bob) = taken_over(store).await;
    store.apply(bob.release(lease_dead())).await;
    for write in ann.changes(lease_dead()) {
        store.ignores(write, TAKEN_OVER).await;
    }
}

pub async fn a_late_owner_is_refused_after_the_new_one_ended_unknown(store: &Tested) {
    let (ann, bob) = taken_over(store).await;
    store.apply(bob.mark_unknown(lease_dead())).await;
    for write in ann.changes(lease_dead()) {
        store.ignores(write, TAKEN_OVER).await;
    }
}

pub async fn a_late_owner_cannot_settle_its_own_unknown_outcome(store: &Tested) {
    let ann = store.acquire(request(ANN, START)).await;
    store.apply(ann.announce(START)).await;
    assert_eq!(
        store.claim(request(BOB, lease_dead())).await,
        Claim::Unknown { since: START, lease_until: after(LEASE) }
    );
    for write in ann.changes(lease_dead()) {
        let expected = match write.change {
            Change::MarkUnknown => Written::AlreadyDone,
            _ => TAKEN_OVER,
        };
        store.ignores(write, expected).await;
    }
    assert_eq!(store.record().await.status, Status::Unknown);
}

pub async fn an_evicted_record_is_not_resurrected(store: &Tested) {
    let ann = store.acquire(request(ANN, START)).await;
    assert!(store.evict(ann.evict()).await);
    for write in ann.changes(START) {
        store.ignores(write, GONE).await;
    }
    assert_eq!(store.inspect(&key()).await, None);
}

pub async fn a_late_owner_is_refused_after_its_record_was_forgotten_and_claimed_again(store: &Tested) {
    let ann = store.acquire(request(ANN, START)).await;
    let late = after(TTL + MS);
    let bob = store.acquire(request(BOB, late)).await;
    for write in ann.changes(late) {
        store.ignores(write, TAKEN_OVER).await;
    }
    store.apply(bob.complete(late)).await;
}

pub async fn a_late_owner_is_refused_after_its_record_was_evicted_and_claimed_again(store: &Tested) {
    let ann = store.acquire(request(ANN, START)).await;
    assert!(store.evict(ann.evict()).await);
    store.acquire(request(BOB, after(SECOND))).await;
    for write in ann.changes(after(SECOND)) {
        store.ignores(write, TAKEN_OVER).await;
    }
}

pub async fn the_owner_alone_is_not_enough(store: &Tested) {
    let ann = store.acquire(request(ANN, START)).await;
    for epoch in [0, 1, ann.epoch.get() - 1, ann.epoch.get() + 1] {
        let stale = Held { epoch: Epoch::new(epoch), ..ann.clone() };
        for write in stale.changes(START) {
            store.ignores(write, TAKEN_OVER).await;
        }
    }
}

pub async fn the_epoch_alone_is_not_enough(store: &Tested) {
    let ann = store.acquire(request(ANN, START)).await;
    let thief = Held { owner: BOB, ..ann };
    for write in thief.changes(START) {
        store.ignores(write, TAKEN_OVER).await;
    }
}

pub async fn two_takeovers_in_one_millisecond_are_told_apart(store: &Tested) {
    let ann = store.acquire(request(ANN, START)).await;
    store.apply(ann.release(START)).await;
    let bob = store.acquire(request(BOB, START)).await;
    store.apply(bob.release(START)).await;
    let cat = store.acquire(request(CAT, START)).await;
    for late in [&ann, &bob] {
        store.ignores(late.complete(START), TAKEN_OVER).await;
    }
    store.apply(cat.complete(START)).await;
    assert!(ann.epoch < bob.epoch && bob.epoch < cat.epoch);
}

pub async fn an_owner_cannot_write_under_the_epoch_of_its_earlier_claim(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.acquire(request(BOB, lease_dead())).await;
    let again = lease_dead().plus(LEASE + SKEW);
    let third = store.acquire(request(ANN, again)).await;
    store.ignores(first.complete(again), TAKEN_OVER).await;
    store.apply(third.complete(again)).await;
}
