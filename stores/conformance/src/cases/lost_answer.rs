//! A claim whose answer was lost, and which is sent again with the same owner token.

use std::time::Duration;

use idempotency_runtime::{Claim, Previous};

use crate::Tested;
use crate::script::*;

fn own(held: &Held) -> Claim {
    Claim::Acquired {
        epoch: held.epoch,
        attempt: held.attempt,
        lease_until: held.lease_until,
        previous: Previous::Own,
    }
}

pub async fn an_owner_that_asks_again_gets_its_own_claim(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.refuses(request(ANN, START), own(&first)).await;
    store.refuses(request(ANN, after(SECOND)), own(&first)).await;
}

pub async fn an_owner_that_asks_again_does_not_move_its_lease(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.refuses(request(ANN, after(SECOND)).leasing(LEASE * 5), own(&first)).await;
}

pub async fn an_owner_that_asks_again_after_its_lease_gets_its_own_claim(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.refuses(request(ANN, lease_dead().plus(SECOND)), own(&first)).await;
}

pub async fn an_owner_that_asks_again_is_told_its_renewed_lease(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.renew(after(SECOND))).await;
    let renewed = Held { lease_until: after(SECOND + LEASE), ..first };
    store.refuses(request(ANN, after(SECOND)), own(&renewed)).await;
}

pub async fn an_owner_that_asks_again_gets_its_announced_claim(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.announce(START)).await;
    store.refuses(request(ANN, lease_dead()), own(&first)).await;
}

pub async fn an_owner_that_asks_again_after_its_takeover_gets_that_claim(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    let second = store.acquire(request(BOB, lease_dead())).await;
    assert_eq!(second.attempt, 2);
    store.refuses(request(BOB, lease_dead()), own(&second)).await;
}

pub async fn an_owner_that_was_taken_over_is_told_in_progress(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    let second = store.acquire(request(BOB, lease_dead())).await;
    let busy = Claim::InProgress { since: lease_dead(), lease_until: second.lease_until };
    store.refuses(request(ANN, lease_dead()), busy).await;
}

pub async fn an_owner_that_was_taken_over_gets_the_outcome_of_the_other(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    let second = store.acquire(request(BOB, lease_dead())).await;
    store.apply(second.complete(lease_dead())).await;
    let outcome = Claim::Final(Box::new(store.record().await));
    store.refuses(request(ANN, lease_dead()), outcome).await;
}

pub async fn a_claim_delivered_late_does_not_take_a_released_key_back(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.release(after(SECOND))).await;
    store.refuses(request(ANN, START), Claim::OwnerUsed).await;
    store.refuses(request(ANN, after(Duration::from_secs(600))), Claim::OwnerUsed).await;
}

pub async fn a_claim_delivered_late_does_not_revive_a_key_that_the_next_owner_released(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.release(START)).await;
    let second = store.acquire(request(BOB, START)).await;
    store.apply(second.release(START)).await;
    store.refuses(request(BOB, START), Claim::OwnerUsed).await;
    // Ann's token is not the last one: to the store this is a caller like any other, under a higher epoch.
    let third = store.acquire(request(ANN, START)).await;
    assert_eq!(third.epoch, second.epoch.next());
}
