//! In progress: while a lease lives, and when it is dead.

use std::time::Duration;

use idempotency_runtime::{Claim, OnCrash, Previous, Status};

use crate::Tested;
use crate::script::*;

fn busy() -> Claim {
    Claim::InProgress { since: START, lease_until: after(LEASE) }
}

pub async fn a_live_lease_keeps_others_out(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    for now in [START, after(SECOND), after(LEASE - MS), after(LEASE)] {
        store.refuses(request(BOB, now), busy()).await;
    }
}

pub async fn a_lease_that_is_dead_for_less_than_the_skew_budget_keeps_others_out(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    for now in [after(LEASE + MS), after(LEASE + SKEW - MS)] {
        store.refuses(request(BOB, now), busy()).await;
    }
}

pub async fn a_caller_whose_clock_is_behind_is_kept_out(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    store.refuses(request(BOB, START.minus(Duration::from_secs(300))), busy()).await;
}

pub async fn a_dead_lease_is_taken_over_when_the_skew_budget_is_over(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    let asked = request(BOB, lease_dead()).validating(1);
    let second = store.acquire(asked.clone()).await;
    assert_eq!((second.epoch, second.attempt), (first.epoch.next(), 2));
    assert_eq!(second.previous, Previous::Abandoned);
    assert_eq!(store.record().await, second.record(&asked));
}

pub async fn the_skew_budget_is_that_of_the_claim(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    let patient = SKEW * 10;
    store.refuses(request(BOB, after(LEASE + patient - MS)).skewed(patient), busy()).await;
    store.refuses(request(BOB, after(LEASE - MS)).skewed(Duration::ZERO), busy()).await;
    store.acquire(request(BOB, after(LEASE)).skewed(Duration::ZERO)).await;
}

pub async fn a_renewed_lease_keeps_others_out_for_longer(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.renew(after(LEASE / 3))).await;
    let lease_until = after(LEASE / 3 + LEASE);
    store.refuses(request(BOB, lease_dead()), Claim::InProgress { since: START, lease_until }).await;
    store.acquire(request(BOB, lease_until.plus(SKEW))).await;
}

pub async fn a_chain_of_takeovers_counts_epochs_and_attempts(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let mut now = START;
    let mut epoch = first.epoch;
    for (attempt, owner) in (2..).zip([BOB, CAT, ANN, BOB]) {
        now = now.plus(LEASE + SKEW);
        let next = store.acquire(request(owner, now)).await;
        assert_eq!((next.epoch, next.attempt), (epoch.next(), attempt));
        epoch = next.epoch;
    }
}

pub async fn a_takeover_records_the_policy_of_the_new_owner(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    store.acquire(request(BOB, lease_dead()).holding()).await;
    let record = store.record().await;
    assert_eq!((record.on_crash, record.retain_until), (OnCrash::Hold, None));
}

pub async fn a_takeover_ends_with_the_outcome_of_the_new_owner(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    let second = store.acquire(request(BOB, lease_dead())).await;
    store.apply(second.complete(lease_dead())).await;
    let record = store.record().await;
    assert_eq!((record.status, record.owner, record.attempt), (Status::Completed, BOB, 2));
    store.refuses(request(CAT, lease_dead()), Claim::Final(Box::new(record))).await;
}

pub async fn a_ttl_shorter_than_the_lease_does_not_end_it(store: &Tested) {
    store.acquire(request(ANN, START).keeping(SECOND)).await;
    for now in [after(SECOND * 2), after(LEASE), after(LEASE + SKEW - MS)] {
        store.refuses(request(BOB, now).keeping(SECOND), busy()).await;
    }
    store.acquire(request(BOB, lease_dead()).keeping(SECOND)).await;
}

pub async fn a_body_longer_than_the_ttl_stays_alone_while_it_renews(store: &Tested) {
    let first = store.acquire(request(ANN, START).keeping(SECOND)).await;
    for second in 1..=20 {
        let now = after(SECOND * 10 * second);
        store.apply(first.renew(now).kept_for(SECOND)).await;
        let busy = Claim::InProgress { since: START, lease_until: now.plus(LEASE) };
        store.refuses(request(BOB, now.plus(LEASE)).keeping(SECOND), busy).await;
    }
    store.apply(first.complete(after(SECOND * 200))).await;
}

pub async fn a_lease_of_zero_is_dead_after_the_skew_budget(store: &Tested) {
    store.acquire(request(ANN, START).leasing(Duration::ZERO)).await;
    let busy = Claim::InProgress { since: START, lease_until: START };
    store.refuses(request(BOB, after(SKEW - MS)), busy).await;
    store.acquire(request(BOB, after(SKEW))).await;
}

pub async fn a_lease_that_ends_before_the_claim_is_taken_over_and_fenced(store: &Tested) {
    let mut asked = request(ANN, START);
    asked.lease_until = START.minus(LEASE);
    let first = store.acquire(asked).await;
    let second = store.acquire(request(BOB, START)).await;
    assert_eq!((second.epoch, second.previous), (first.epoch.next(), Previous::Abandoned));
}

pub async fn the_end_of_a_lease_is_kept_to_the_millisecond(store: &Tested) {
    let odd = Duration::from_millis(12_345);
    store.acquire(request(ANN, START).leasing(odd)).await;
    assert_eq!(store.record().await.lease_until, after(odd));
    let busy = Claim::InProgress { since: START, lease_until: after(odd) };
    store.refuses(request(BOB, after(odd + SKEW - MS)), busy).await;
    store.acquire(request(BOB, after(odd + SKEW))).await;
}
