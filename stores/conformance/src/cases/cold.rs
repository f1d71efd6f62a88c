//! A second handle on the same place sees everything, as another process would.

use idempotency_runtime::{Claim, Refusal, Status, Written};

use crate::Tested;
use crate::script::*;

pub async fn a_second_handle_sees_the_outcome(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(first.complete(START)).await;
    let record = store.record().await;
    let second = store.reopen().await;
    assert_eq!(second.record().await, record);
    second.refuses(request(BOB, START).validating(1), Claim::Final(Box::new(record))).await;
}

pub async fn a_second_handle_sees_the_claim(store: &Tested) {
    store.acquire(request(ANN, START)).await;
    let second = store.reopen().await;
    let busy = Claim::InProgress { since: START, lease_until: after(LEASE) };
    second.refuses(request(BOB, START), busy).await;
}

pub async fn a_second_handle_tells_a_mismatch(store: &Tested) {
    let first = store.acquire(request(ANN, START).validating(1)).await;
    let second = store.reopen().await;
    let told = |status| Claim::Mismatch { since: START, status };
    second.refuses(request(BOB, START).validating(2), told(Status::InProgress)).await;
    store.apply(first.complete(START)).await;
    second.refuses(request(BOB, START).validating(2), told(Status::Completed)).await;
}

pub async fn a_second_handle_takes_over_and_the_first_is_fenced(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let second = store.reopen().await;
    let held = second.acquire(request(BOB, lease_dead())).await;
    store.ignores(first.complete(lease_dead()), Written::Refused(Refusal::TakenOver)).await;
    second.apply(held.complete(lease_dead())).await;
    assert_eq!(store.record().await.owner, BOB);
}

pub async fn a_second_handle_writes_for_the_owner_of_the_first(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let second = store.reopen().await;
    second.apply(first.renew(after(SECOND))).await;
    second.apply(first.complete(after(SECOND))).await;
    store.ignores(first.complete(after(SECOND)), Written::AlreadyDone).await;
}

pub async fn a_second_handle_knows_an_announced_attempt(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    store.apply(first.announce(START)).await;
    let second = store.reopen().await;
    assert_eq!(
        second.claim(request(BOB, lease_dead())).await,
        Claim::Unknown { since: START, lease_until: after(LEASE) }
    );
    assert_eq!(store.record().await.status, Status::Unknown);
}

pub async fn a_second_handle_evicts(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    let second = store.reopen().await;
    assert!(second.evict(first.evict()).await);
    assert_eq!(store.inspect(&key()).await, None);
    store.ignores(first.complete(START), Written::Refused(Refusal::Gone)).await;
}

pub async fn two_handles_of_one_place_have_one_identity(store: &Tested) {
    let second = store.reopen().await;
    assert_eq!(store.handle().identity(), second.handle().identity());
    assert_eq!(store.capabilities(), second.capabilities());
}

pub async fn two_places_have_two_identities(store: &Tested) {
    // Callers of one process that wait for a key follow one another if they are at one place.
    let other = store.elsewhere().await;
    assert_ne!(store.handle().identity(), other.identity());
}

pub async fn a_clone_of_a_handle_shares_the_records(store: &Tested) {
    let clone = store.handle();
    let answer = clone.claim(request(ANN, START)).await;
    assert!(matches!(answer, Ok(Claim::Acquired { .. })), "{answer:?}");
    drop(clone);
    assert_eq!(store.record().await.owner, ANN);
}
