//! Many callers at once.

use std::collections::HashMap;

use fastrand::Rng;
use idempotency_runtime::{Claim, OwnerToken, Previous, Refusal, Status, Written};

use crate::Tested;
use crate::race::race;
use crate::run::{rounds, seed};
use crate::script::*;

fn owner(number: usize) -> OwnerToken {
    OwnerToken::from_bytes((number as u128 + 1).to_be_bytes())
}

fn granted(answers: &[Claim]) -> usize {
    answers.iter().filter(|answer| matches!(answer, Claim::Acquired { .. })).count()
}

fn round_key(round: u64) -> idempotency_runtime::IdempotencyKey {
    key_of(&format!("race:{round}"))
}

pub async fn of_many_claims_of_a_new_key_one_is_granted(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(10) {
        let answers = race(&mut random, 64, |number| {
            let store = store.clone();
            async move { store.claim(request(owner(number), START).of(&round_key(round))).await }
        })
        .await;
        assert_eq!(granted(&answers), 1, "round {round}: {answers:?}");
        let busy = Claim::InProgress { since: START, lease_until: after(LEASE) };
        assert_eq!(
            answers.iter().filter(|answer| **answer == busy).count(),
            63,
            "round {round}: {answers:?}"
        );
        assert_eq!(store.record_of(&round_key(round)).await.attempt, 1);
    }
}

pub async fn of_many_claims_of_a_dead_lease_one_takes_over(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(10) {
        let first = store.acquire(request(ANN, START).of(&round_key(round))).await;
        let answers = race(&mut random, 32, |number| {
            let store = store.clone();
            async move { store.claim(request(owner(number), lease_dead()).of(&round_key(round))).await }
        })
        .await;
        assert_eq!(granted(&answers), 1, "round {round}: {answers:?}");
        let record = store.record_of(&round_key(round)).await;
        assert_eq!((record.epoch, record.attempt), (first.epoch.next(), 2), "round {round}");
    }
}

pub async fn of_many_claims_of_a_released_key_one_is_granted(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(10) {
        let first = store.acquire(request(ANN, START).of(&round_key(round))).await;
        store.apply(first.release(START)).await;
        let answers = race(&mut random, 32, |number| {
            let store = store.clone();
            async move { store.claim(request(owner(number), START).of(&round_key(round))).await }
        })
        .await;
        assert_eq!(granted(&answers), 1, "round {round}: {answers:?}");
    }
}

pub async fn of_many_claims_of_an_expired_outcome_one_is_granted(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(10) {
        let first = store.acquire(request(ANN, START).of(&round_key(round))).await;
        store.apply(first.complete(START)).await;
        let late = after(TTL + MS);
        let answers = race(&mut random, 32, |number| {
            let store = store.clone();
            async move { store.claim(request(owner(number), late).of(&round_key(round))).await }
        })
        .await;
        assert_eq!(granted(&answers), 1, "round {round}: {answers:?}");
    }
}

pub async fn many_claims_of_an_announced_dead_attempt_are_all_told_unknown(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(5) {
        let first = store.acquire(request(ANN, START).of(&round_key(round))).await;
        store.apply(first.announce(START)).await;
        let answers = race(&mut random, 16, |number| {
            let store = store.clone();
            async move { store.claim(request(owner(number), lease_dead()).of(&round_key(round))).await }
        })
        .await;
        assert!(
            answers
                .iter()
                .all(|answer| *answer == Claim::Unknown { since: START, lease_until: after(LEASE) }),
            "{answers:?}"
        );
        let record = store.record_of(&round_key(round)).await;
        assert_eq!((record.status, record.epoch), (Status::Unknown, first.epoch));
    }
}

pub async fn one_claim_delivered_many_times_is_one_claim(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(10) {
        let answers = race(&mut random, 8, |_| {
            let store = store.clone();
            async move { store.acquire(request(ANN, START).of(&round_key(round))).await }
        })
        .await;
        let fresh = answers.iter().filter(|held| held.previous == Previous::Nothing).count();
        assert_eq!(fresh, 1, "round {round}: {answers:?}");
        assert!(
            answers.iter().all(|held| held.epoch == answers[0].epoch && held.attempt == 1),
            "{answers:?}"
        );
    }
}

pub async fn one_completion_delivered_many_times_is_applied_once(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(10) {
        let held = store.acquire(request(ANN, START).of(&round_key(round))).await;
        let answers = race(&mut random, 8, |_| {
            let (store, write) = (store.clone(), held.complete(START));
            async move { store.write(write).await }
        })
        .await;
        let applied = answers.iter().filter(|answer| matches!(answer, Written::Applied { .. })).count();
        assert_eq!(applied, 1, "round {round}: {answers:?}");
        let repeated = answers.iter().filter(|answer| **answer == Written::AlreadyDone).count();
        assert_eq!(repeated, 7, "round {round}: {answers:?}");
    }
}

/// Either the owner's write or the takeover wins, and both sides agree on which.
async fn races_with_a_takeover(store: &Tested, write: fn(&Held) -> idempotency_runtime::OwnerWrite) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(40) {
        let held = store.acquire(request(ANN, START).of(&round_key(round))).await;
        let answers =
            race(&mut random, 2, |number| {
                let (store, write) = (store.clone(), write(&held));
                let claim = request(BOB, lease_dead()).of(&round_key(round));
                async move {
                    if number == 0 { Ok(store.write(write).await) } else { Err(store.claim(claim).await) }
                }
            })
            .await;
        let (Ok(written), Err(claimed)) = (&answers[0], &answers[1]) else { unreachable!() };
        let taken = matches!(claimed, Claim::Acquired { previous: Previous::Abandoned, .. });
        let released = matches!(claimed, Claim::Acquired { previous: Previous::Released, .. });
        let told = (written, taken);
        match told {
            (Written::Refused(Refusal::TakenOver), true) => {}
            (Written::Applied { .. }, false) => assert!(
                released || matches!(claimed, Claim::Final(_) | Claim::InProgress { .. }),
                "round {round}: {claimed:?}"
            ),
            _ => panic!("round {round}: both or none have won: {written:?}, {claimed:?}"),
        }
    }
}

pub async fn a_completion_and_a_takeover_do_not_both_win(store: &Tested) {
    races_with_a_takeover(store, |held| held.complete(lease_dead())).await;
}

pub async fn a_renewal_and_a_takeover_do_not_both_win(store: &Tested) {
    races_with_a_takeover(store, |held| held.renew(lease_dead())).await;
}

pub async fn a_release_and_a_takeover_do_not_both_win(store: &Tested) {
    races_with_a_takeover(store, |held| held.release(lease_dead())).await;
}

pub async fn a_completion_and_an_eviction_agree_on_their_order(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(40) {
        let held = store.acquire(request(ANN, START).of(&round_key(round))).await;
        let answers = race(&mut random, 2, |number| {
            let (store, held) = (store.clone(), held.clone());
            async move {
                if number == 0 {
                    Ok(store.write(held.complete(START)).await)
                } else {
                    Err(store.evict(held.evict()).await)
                }
            }
        })
        .await;
        assert_eq!(answers[1], Err(true), "round {round}");
        let gone = Written::Refused(Refusal::Gone);
        let applied = Written::Applied { lease_until: after(LEASE) };
        assert!([Ok(gone), Ok(applied)].contains(&answers[0]), "round {round}: {answers:?}");
        assert_eq!(store.inspect(&round_key(round)).await, None, "round {round}");
    }
}

pub async fn two_handles_race_for_a_new_key(store: &Tested) {
    let handles = [store.clone(), store.reopen().await];
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(20) {
        let answers = race(&mut random, 8, |number| {
            let store = handles[number % 2].clone();
            async move { store.claim(request(owner(number), START).of(&round_key(round))).await }
        })
        .await;
        assert_eq!(granted(&answers), 1, "round {round}: {answers:?}");
    }
}

pub async fn two_handles_race_for_a_dead_lease(store: &Tested) {
    let handles = [store.clone(), store.reopen().await];
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(20) {
        store.acquire(request(ANN, START).of(&round_key(round))).await;
        let answers = race(&mut random, 8, |number| {
            let store = handles[number % 2].clone();
            async move { store.claim(request(owner(number), lease_dead()).of(&round_key(round))).await }
        })
        .await;
        assert_eq!(granted(&answers), 1, "round {round}: {answers:?}");
    }
}

pub async fn many_keys_at_once_do_not_disturb_each_other(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    let first = race(&mut random, 64, |number| {
        let store = store.clone();
        async move {
            let key = key_of(&format!("key:{number}"));
            let held = store.acquire(request(owner(number), START).of(&key)).await;
            store.apply(held.complete(START)).await;
            store.record_of(&key).await
        }
    })
    .await;
    let second = race(&mut random, 64, |number| {
        let store = store.clone();
        async move { store.claim(request(BOB, START).of(&key_of(&format!("key:{number}")))).await }
    })
    .await;
    for (record, answer) in first.into_iter().zip(second) {
        assert_eq!(answer, Claim::Final(Box::new(record)));
    }
}

/// Callers that claim, release, complete and let their lease die on one key, each at its own pace.
pub async fn no_epoch_has_two_owners(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(4) {
        let seeds: Vec<u64> = (0..16).map(|_| random.u64(..)).collect();
        let epochs = race(&mut random, 16, |number| {
            let (store, random) = (store.clone(), Rng::with_seed(seeds[number]));
            async move { wander(&store, number, random, round).await }
        })
        .await;
        let mut owners = HashMap::new();
        for (epoch, owner) in epochs.into_iter().flatten() {
            let earlier = owners.insert(epoch, owner);
            assert_eq!(earlier, None, "round {round}: epoch {epoch} was given twice");
        }
    }
}

async fn wander(
    store: &Tested,
    number: usize,
    mut random: Rng,
    round: u64,
) -> Vec<(idempotency_runtime::Epoch, OwnerToken)> {
    let mut epochs = Vec::new();
    let mut now = START;
    for turn in 0..20 {
        now = now.plus(MS * random.u32(0..60_000));
        let owner = owner(number * 1_000 + turn);
        let asked = request(owner, now).of(&round_key(round)).keeping(SECOND * random.u32(1..100));
        let Claim::Acquired { epoch, attempt, lease_until, previous } = store.claim(asked).await else {
            continue;
        };
        epochs.push((epoch, owner));
        let held = Held { key: round_key(round), owner, epoch, attempt, lease_until, previous };
        let write = match random.u8(0..4) {
            0 => held.complete(now).kept_for(SECOND * random.u32(1..100)),
            1 => held.release(now),
            2 => held.renew(now.plus(SECOND)),
            _ => continue,
        };
        let _ = store.write(write).await;
    }
    epochs
}
