//! Many callers at once about one unknown outcome.

use fastrand::Rng;
use idempotency_runtime::{Claim, IdempotencyKey, OwnerToken, Refusal, Status, Written};

use crate::Tested;
use crate::race::race;
use crate::run::{rounds, seed};
use crate::script::*;

fn owner(number: usize) -> OwnerToken {
    OwnerToken::from_bytes((number as u128 + 1).to_be_bytes())
}

fn round_key(round: u64) -> IdempotencyKey {
    key_of(&format!("race:{round}"))
}

/// Lets many callers ask for the right to find out, and expects that one gets it and that the others are told so.
async fn one_is_granted(stores: [&Tested; 2], random: &mut Rng, key: &IdempotencyKey, before: &Held) {
    let answers = race(random, 32, |number| {
        let (store, asked) =
            (stores[number % 2].clone(), request(owner(number), lease_dead()).of(key).probing());
        async move { store.claim(asked).await }
    })
    .await;
    let lease_until = lease_dead().plus(LEASE);
    let granted =
        Claim::Probe { epoch: before.epoch.next(), attempt: before.attempt, lease_until, since: START };
    let told = Claim::Unknown { since: START, lease_until };
    assert_eq!(answers.iter().filter(|answer| **answer == granted).count(), 1, "{key}: {answers:?}");
    assert_eq!(answers.iter().filter(|answer| **answer == told).count(), 31, "{key}: {answers:?}");
    let record = stores[0].record_of(key).await;
    assert_eq!(
        Some(&granted),
        answers
            .iter()
            .enumerate()
            .find(|(number, _)| owner(*number) == record.owner)
            .map(|(_, answer)| answer)
    );
}

pub async fn of_many_who_ask_about_an_unknown_outcome_one_finds_out(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(10) {
        let ann = store.acquire(request(ANN, START).of(&round_key(round))).await;
        store.apply(ann.mark_unknown(START)).await;
        one_is_granted([store, store], &mut random, &round_key(round), &ann).await;
    }
}

pub async fn of_many_who_ask_about_a_dead_announced_attempt_one_finds_out(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(10) {
        let ann = store.acquire(request(ANN, START).of(&round_key(round))).await;
        store.apply(ann.announce(START)).await;
        one_is_granted([store, store], &mut random, &round_key(round), &ann).await;
    }
}

pub async fn of_many_who_ask_through_two_handles_one_finds_out(store: &Tested) {
    let second = store.reopen().await;
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(5) {
        let ann = store.acquire(request(ANN, START).of(&round_key(round)).holding()).await;
        one_is_granted([store, &second], &mut random, &round_key(round), &ann).await;
    }
}

pub async fn of_two_who_say_what_became_of_it_the_first_counts(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(20) {
        let ann = store.acquire(request(ANN, START).of(&round_key(round)).holding()).await;
        let bob = store.probe(request(BOB, lease_dead()).of(&ann.key)).await;
        let late = bob.lease_until.plus(SKEW);
        let answers = race(&mut random, 2, |number| {
            let (store, bob) = (store.clone(), bob.clone());
            async move {
                if number == 0 {
                    return Some(store.write(bob.found_not_applied(late)).await);
                }
                match store.claim(request(CAT, late).of(&bob.key).probing()).await {
                    Claim::Probe { epoch, .. } => {
                        let cat = Held { owner: CAT, epoch, ..bob };
                        Some(store.write(cat.found_applied(late)).await)
                    }
                    Claim::Acquired { attempt: 2, .. } => None,
                    other => panic!("{other:?}"),
                }
            }
        })
        .await;
        let record = store.record_of(&round_key(round)).await;
        match (&answers[0], &answers[1]) {
            // Bob was first: Cat has claimed the free key.
            (Some(Written::Applied { .. }), None) => assert_eq!(record.status, Status::InProgress),
            (
                Some(Written::Refused(Refusal::TakenOver | Refusal::Finished(_))),
                Some(Written::Applied { .. }),
            ) => {
                assert_eq!(record.status, Status::Completed);
            }
            other => panic!("round {round}: {other:?}"),
        }
        assert_eq!(record.owner, CAT);
    }
}

pub async fn one_settlement_delivered_many_times_is_applied_once(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(10) {
        let ann = store.acquire(request(ANN, START).of(&round_key(round)).holding()).await;
        let bob = store.probe(request(BOB, lease_dead()).of(&ann.key)).await;
        let answers = race(&mut random, 16, |_| {
            let (store, bob) = (store.clone(), bob.clone());
            async move { store.write(bob.found_applied(lease_dead())).await }
        })
        .await;
        let count = |wanted: fn(&Written) -> bool| answers.iter().filter(|answer| wanted(answer)).count();
        let applied = count(|answer| matches!(answer, Written::Applied { .. }));
        let done = count(|answer| *answer == Written::AlreadyDone);
        assert_eq!((applied, done), (1, 15), "round {round}: {answers:?}");
    }
}
