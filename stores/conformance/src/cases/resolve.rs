//! What was found out about an unknown outcome, and who may say so.

use idempotency_runtime::{Claim, Previous, Refusal, Status, Timestamp, Written};

use crate::Tested;
use crate::script::*;

/// An attempt of Ann's whose outcome is unknown.
async fn unknown(store: &Tested) -> Held {
    let ann = store.acquire(request(ANN, START).validating(1)).await;
    store.apply(ann.announce(START)).await;
    store.apply(ann.mark_unknown(START)).await;
    ann
}

/// The same, when Bob has the right to find out.
async fn probed(store: &Tested) -> Held {
    unknown(store).await;
    store.probe(request(BOB, lease_dead())).await
}

/// When what was found out is said.
fn found() -> Timestamp {
    lease_dead().plus(SECOND)
}

const TAKEN_OVER: Written = Written::Refused(Refusal::TakenOver);

pub async fn an_effect_that_happened_is_recorded_whole(store: &Tested) {
    let bob = probed(store).await;
    let mut expected = store.record().await;
    store.apply(bob.found_applied(found()).kept_for(TTL * 2).buried_for(SECOND)).await;
    expected.status = Status::Completed;
    expected.value = Some(value(r#""found""#));
    expected.completed_at = Some(found());
    expected.expires_at = Some(found().plus(TTL * 2));
    expected.retain_until = Some(found().plus(TTL * 2 + SECOND));
    assert_eq!(store.record().await, expected);
    let outcome = Claim::Final(Box::new(expected));
    store.refuses(request(CAT, found()).validating(1), outcome).await;
}

pub async fn an_effect_that_happened_is_replayed_as_long_as_any_other(store: &Tested) {
    let bob = probed(store).await;
    store.apply(bob.found_applied(found())).await;
    let outcome = Claim::Final(Box::new(store.record().await));
    store.refuses(request(CAT, found().plus(TTL)), outcome).await;
    let cat = store.acquire(request(CAT, found().plus(TTL + MS))).await;
    assert_eq!((cat.epoch, cat.attempt), (bob.epoch.next(), 1));
}

pub async fn an_effect_that_did_not_happen_frees_the_key(store: &Tested) {
    let bob = probed(store).await;
    let mut expected = store.record().await;
    store.apply(bob.found_not_applied(found())).await;
    expected.status = Status::Released;
    expected.announced = false;
    expected.retain_until = Some(found().plus(TTL));
    assert_eq!(store.record().await, expected);
    let cat = store.acquire(request(CAT, found()).validating(1)).await;
    assert_eq!((cat.epoch, cat.attempt, cat.previous), (bob.epoch.next(), 2, Previous::Released));
}

pub async fn a_corrected_request_follows_an_effect_that_did_not_happen(store: &Tested) {
    let bob = probed(store).await;
    store.apply(bob.found_not_applied(found())).await;
    let cat = store.acquire(request(CAT, found()).validating(2)).await;
    assert_eq!(cat.attempt, 2);
}

pub async fn an_effect_that_did_not_happen_is_forgotten_a_ttl_later(store: &Tested) {
    let bob = probed(store).await;
    store.apply(bob.found_not_applied(found())).await;
    let cat = store.acquire(request(CAT, found().plus(TTL + MS))).await;
    assert_eq!((cat.attempt, cat.previous), (1, Previous::Nothing));
    assert!(cat.epoch > bob.epoch);
}

pub async fn an_effect_that_happened_may_be_said_twice(store: &Tested) {
    let bob = probed(store).await;
    store.apply(bob.found_applied(found())).await;
    store.ignores(bob.found_applied(found().plus(SECOND)), Written::AlreadyDone).await;
}

pub async fn an_effect_that_did_not_happen_may_be_said_twice(store: &Tested) {
    let bob = probed(store).await;
    store.apply(bob.found_not_applied(found())).await;
    store.ignores(bob.found_not_applied(found().plus(SECOND)), Written::AlreadyDone).await;
}

pub async fn what_was_said_first_stands(store: &Tested) {
    let bob = probed(store).await;
    store.apply(bob.found_applied(found())).await;
    let outcome = Refusal::Finished(Box::new(store.record().await));
    store.ignores(bob.found_not_applied(found()), Written::Refused(outcome)).await;
}

pub async fn what_was_said_first_stands_for_a_free_key_too(store: &Tested) {
    let bob = probed(store).await;
    store.apply(bob.found_not_applied(found())).await;
    store.ignores(bob.found_applied(found()), TAKEN_OVER).await;
}

pub async fn it_may_be_said_past_the_lease_while_nobody_else_finds_out(store: &Tested) {
    let bob = probed(store).await;
    store.apply(bob.found_applied(bob.lease_until.plus(TTL))).await;
    assert_eq!(store.record().await.status, Status::Completed);
}

pub async fn who_finds_out_too_late_is_refused(store: &Tested) {
    let bob = probed(store).await;
    let late = bob.lease_until.plus(SKEW);
    let cat = store.probe(request(CAT, late)).await;
    for write in bob.settlements(late) {
        store.ignores(write, TAKEN_OVER).await;
    }
    store.apply(cat.found_applied(late)).await;
    let outcome = Refusal::Finished(Box::new(store.record().await));
    store.ignores(bob.found_not_applied(late), Written::Refused(outcome)).await;
}

pub async fn the_owner_of_the_attempt_is_refused_when_another_finds_out(store: &Tested) {
    let ann = unknown(store).await;
    store.probe(request(BOB, lease_dead())).await;
    for write in ann.settlements(found()).into_iter().chain(ann.changes(found())) {
        store.ignores(write, TAKEN_OVER).await;
    }
}

pub async fn the_owner_alone_or_the_epoch_alone_is_not_enough(store: &Tested) {
    let bob = probed(store).await;
    let owner = Held { owner: CAT, ..bob.clone() };
    let epoch = Held { epoch: bob.epoch.next(), ..bob };
    for write in [owner.settlements(found()), epoch.settlements(found())].into_iter().flatten() {
        store.ignores(write, TAKEN_OVER).await;
    }
}

pub async fn an_attempt_in_progress_is_not_settled(store: &Tested) {
    let ann = store.acquire(request(ANN, START)).await;
    for write in ann.settlements(START) {
        store.ignores(write, TAKEN_OVER).await;
    }
    store.apply(ann.announce(START)).await;
    for write in ann.settlements(lease_dead()) {
        store.ignores(write, TAKEN_OVER).await;
    }
}

pub async fn a_change_of_an_attempt_settles_nothing(store: &Tested) {
    let bob = probed(store).await;
    for write in bob.changes(found()) {
        let expected = match write.change {
            idempotency_runtime::Change::MarkUnknown => Written::AlreadyDone,
            _ => TAKEN_OVER,
        };
        store.ignores(write, expected).await;
    }
}

pub async fn nothing_is_said_about_a_key_without_a_record(store: &Tested) {
    let bob = probed(store).await;
    assert!(store.evict(bob.evict()).await);
    for write in bob.settlements(found()) {
        store.ignores(write, Written::Refused(Refusal::Gone)).await;
    }
}
