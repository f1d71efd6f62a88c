//! The right to find out what became of an unknown outcome: who gets it, when, and what it writes.

use idempotency_runtime::{Claim, Previous, Record, Status, Timestamp};

use crate::Tested;
use crate::script::*;

/// An attempt of Ann's whose outcome is unknown.
async fn unknown(store: &Tested) -> Held {
    let ann = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(ann.announce(START)).await;
    store.apply(ann.mark_unknown(START)).await;
    ann
}

/// The record when `held` has got the right to find out.
fn probed(mut record: Record, held: &Held) -> Record {
    record.status = Status::Unknown;
    record.owner = held.owner;
    record.epoch = held.epoch;
    record.lease_until = held.lease_until;
    record
}

/// What a claim is told that does not get the right.
fn told(lease_until: Timestamp) -> Claim {
    Claim::Unknown { since: START, lease_until }
}

pub async fn the_right_to_find_out_is_granted_to_who_asks_for_it(store: &Tested) {
    let ann = unknown(store).await;
    let before = store.record().await;
    let granted = store.claim(request(BOB, lease_dead()).validating(1).probing()).await;
    let lease_until = lease_dead().plus(LEASE);
    let epoch = ann.epoch.next();
    assert_eq!(granted, Claim::Probe { epoch, attempt: 1, lease_until, since: START });
    let bob = Held { key: key(), owner: BOB, epoch, attempt: 1, lease_until, previous: Previous::Abandoned };
    assert_eq!(store.record().await, probed(before, &bob));
}

pub async fn who_does_not_ask_for_it_never_gets_it(store: &Tested) {
    unknown(store).await;
    for now in [START, lease_dead(), after(TTL * 10)] {
        store.refuses(request(BOB, now).validating(1), told(after(LEASE))).await;
    }
}

pub async fn it_is_not_granted_before_the_lease_is_dead(store: &Tested) {
    unknown(store).await;
    for now in [START, after(LEASE), lease_dead().minus(MS)] {
        store.refuses(request(BOB, now).probing(), told(after(LEASE))).await;
    }
    store.probe(request(BOB, lease_dead())).await;
}

pub async fn it_is_not_granted_before_the_effect_may_have_ended(store: &Tested) {
    unknown(store).await;
    let asks = |now| request(BOB, now).probing_after(TTL);
    for now in [START, lease_dead(), lease_dead().plus(TTL).minus(MS)] {
        store.refuses(asks(now), told(after(LEASE))).await;
    }
    store.probe(asks(lease_dead().plus(TTL))).await;
}

pub async fn an_attempt_that_died_is_unknown_until_its_effect_may_have_ended(store: &Tested) {
    let ann = store.acquire(request(ANN, START)).await;
    store.apply(ann.announce(START)).await;
    let asks = |now| request(BOB, now).probing_after(TTL);
    assert_eq!(store.claim(asks(lease_dead())).await, told(after(LEASE)));
    assert_eq!(store.record().await.status, Status::Unknown);
    store.probe(asks(lease_dead().plus(TTL))).await;
}

pub async fn an_attempt_whose_lease_lives_is_in_progress_for_who_asks_too(store: &Tested) {
    let ann = store.acquire(request(ANN, START)).await;
    store.apply(ann.announce(START)).await;
    let busy = Claim::InProgress { since: START, lease_until: after(LEASE) };
    for now in [START, lease_dead().minus(MS)] {
        store.refuses(request(BOB, now).probing(), busy.clone()).await;
    }
}

pub async fn an_announced_attempt_that_died_is_probed_in_one_write(store: &Tested) {
    let ann = store.acquire(request(ANN, START)).await;
    store.apply(ann.announce(START)).await;
    is_probed_at_once(store, &ann).await;
}

pub async fn a_held_attempt_that_died_is_probed_in_one_write(store: &Tested) {
    let ann = store.acquire(request(ANN, START).holding()).await;
    is_probed_at_once(store, &ann).await;
}

async fn is_probed_at_once(store: &Tested, ann: &Held) {
    let before = store.record().await;
    let bob = store.probe(request(BOB, lease_dead())).await;
    assert_eq!((bob.epoch, bob.attempt), (ann.epoch.next(), 1));
    assert_eq!(store.record().await, probed(before, &bob));
}

pub async fn an_attempt_that_may_run_again_is_taken_over_by_who_asks_too(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    let bob = store.acquire(request(BOB, lease_dead()).probing()).await;
    assert_eq!((bob.attempt, bob.previous), (2, Previous::Abandoned));
    assert_eq!(store.record().await.status, Status::InProgress);
}

pub async fn one_caller_at_a_time_has_it(store: &Tested) {
    unknown(store).await;
    let bob = store.probe(request(BOB, lease_dead())).await;
    for now in [lease_dead(), bob.lease_until, bob.lease_until.plus(SKEW).minus(MS)] {
        store.refuses(request(CAT, now).probing(), told(bob.lease_until)).await;
    }
    let before = store.record().await;
    let cat = store.probe(request(CAT, bob.lease_until.plus(SKEW))).await;
    assert_eq!((cat.epoch, cat.attempt), (bob.epoch.next(), 1));
    assert_eq!(store.record().await, probed(before, &cat));
}

pub async fn who_asks_again_has_it_still_and_for_no_longer(store: &Tested) {
    unknown(store).await;
    let bob = store.probe(request(BOB, lease_dead())).await;
    let granted =
        Claim::Probe { epoch: bob.epoch, attempt: bob.attempt, lease_until: bob.lease_until, since: START };
    for now in [lease_dead(), lease_dead().plus(SECOND), bob.lease_until.plus(TTL)] {
        store.refuses(request(BOB, now).probing(), granted.clone()).await;
    }
}

pub async fn a_claim_delivered_late_does_not_take_it_back(store: &Tested) {
    unknown(store).await;
    let bob = store.probe(request(BOB, lease_dead())).await;
    let cat = store.probe(request(CAT, bob.lease_until.plus(SKEW))).await;
    store.refuses(request(BOB, lease_dead()).probing(), told(cat.lease_until)).await;
}

pub async fn another_request_is_a_mismatch_for_who_asks_too(store: &Tested) {
    unknown(store).await;
    let mismatch = Claim::Mismatch { since: START, status: Status::Unknown };
    store.refuses(request(BOB, lease_dead()).validating(2).probing(), mismatch).await;
}

pub async fn another_request_than_that_of_a_dead_announced_attempt_is_a_mismatch(store: &Tested) {
    let ann = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(ann.announce(START)).await;
    let mismatch = Claim::Mismatch { since: START, status: Status::InProgress };
    store.refuses(request(BOB, lease_dead()).validating(2).probing(), mismatch).await;
}

pub async fn a_record_about_which_somebody_finds_out_is_never_forgotten(store: &Tested) {
    unknown(store).await;
    let bob = store.probe(request(BOB, lease_dead())).await;
    let late = after(TTL * 1_000);
    // A store that removes records as others come.
    let other = key_of("case:other");
    let ann = store.acquire(request(ANN, late).of(&other)).await;
    store.apply(ann.release(late)).await;
    let cat = store.probe(request(CAT, late)).await;
    assert_eq!((cat.epoch, cat.attempt), (bob.epoch.next(), 1));
    assert_eq!(store.record().await.retain_until, None);
}

pub async fn a_key_whose_outcome_is_known_is_claimed_like_any_other(store: &Tested) {
    let ann = store.acquire(request(ANN, START).probing()).await;
    assert_eq!((ann.attempt, ann.previous), (1, Previous::Nothing));
    let busy = Claim::InProgress { since: START, lease_until: after(LEASE) };
    store.refuses(request(BOB, START).probing(), busy).await;
    store.apply(ann.release(START)).await;
    let bob = store.acquire(request(BOB, START).probing()).await;
    assert_eq!((bob.attempt, bob.previous), (2, Previous::Released));
    store.apply(bob.complete(START)).await;
    let outcome = Claim::Final(Box::new(store.record().await));
    store.refuses(request(CAT, START).probing(), outcome).await;
}

pub async fn a_second_handle_knows_who_has_it(store: &Tested) {
    unknown(store).await;
    let bob = store.probe(request(BOB, lease_dead())).await;
    let second = store.reopen().await;
    second.refuses(request(CAT, lease_dead()).probing(), told(bob.lease_until)).await;
    second.apply(bob.found_applied(lease_dead())).await;
    assert_eq!(store.record().await.status, Status::Completed);
}
