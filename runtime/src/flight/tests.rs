//! Single flight under the shuttle model checker, which tries the orders in which threads may take their steps:
//! `RUSTFLAGS='--cfg shuttle' cargo test -p idempotency-runtime --lib flight`. A failure prints a seed; set
//! `SHUTTLE_RANDOM_SEED` to it to see it again. `IDEMPOTENCY_SHUTTLE_ROUNDS` says how many orders are tried.

use shuttle::sync::Arc;
use shuttle::sync::atomic::{AtomicUsize, Ordering};
use shuttle::{future, thread};

use super::*;
use crate::owner::OwnerToken;
use crate::record::{Epoch, Status};
use crate::time::Timestamp;

fn request() -> Request {
    let place = crate::registry::place("memory:1", None);
    Request { place, key: IdempotencyKey::from_stored("pay:1"), fingerprint: None }
}

fn outcome(epoch: u64) -> Record {
    let now = Timestamp::from_millis(1_000);
    let owner = OwnerToken::from_bytes([1; 16]);
    let mut record = Record::claimed(request().key, owner, Epoch::new(epoch), now, now);
    record.status = Status::Completed;
    record
}

fn check(scenario: impl Fn() + Send + Sync + 'static) {
    let rounds = std::env::var("IDEMPOTENCY_SHUTTLE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    shuttle::check_random(scenario, rounds.unwrap_or(2_000));
}

/// What a caller does: it leads and lands, or follows; the number of the outcome that it has in the end.
fn call(store: &AtomicUsize) -> u64 {
    match board(request()) {
        Seat::Leader(leader) => {
            let number = store.fetch_add(1, Ordering::SeqCst) as u64 + 1;
            leader.land(outcome(number));
            number
        }
        Seat::Follower(follower) => match future::block_on(follower.landing()) {
            Landing::Outcome(record) => record.epoch.get(),
            Landing::Nothing => panic!("the leader has landed"),
        },
    }
}

#[test]
fn whoever_follows_gets_what_its_leader_has_landed() {
    check(|| {
        let store = Arc::new(AtomicUsize::new(0));
        let callers: Vec<_> = (0..3)
            .map(|_| {
                let store = store.clone();
                thread::spawn(move || call(&store))
            })
            .collect();
        let seen: Vec<u64> = callers.into_iter().map(|caller| caller.join().unwrap()).collect();
        let led = store.load(Ordering::SeqCst) as u64;
        assert!(seen.iter().all(|number| (1..=led).contains(number)), "{seen:?} of {led}");
        assert!(lock(&FLIGHTS).is_empty(), "a flight that is over stays on the board");
    });
}

#[test]
fn a_leader_that_goes_away_lets_its_followers_go_on_and_nobody_waits_for_ever() {
    check(|| {
        let callers: Vec<_> = (0..3)
            .map(|_| {
                thread::spawn(|| match board(request()) {
                    Seat::Leader(leader) => drop(leader),
                    Seat::Follower(follower) => {
                        assert!(matches!(future::block_on(follower.landing()), Landing::Nothing));
                    }
                })
            })
            .collect();
        callers.into_iter().for_each(|caller| caller.join().unwrap());
        assert!(lock(&FLIGHTS).is_empty());
    });
}

#[test]
fn a_follower_that_goes_away_disturbs_nobody() {
    check(|| {
        let Seat::Leader(leader) = board(request()) else { panic!("the board was empty") };
        let away = thread::spawn(|| match board(request()) {
            Seat::Follower(follower) => {
                let mut landing = Box::pin(async move { follower.landing().await });
                let mut cx = Context::from_waker(Waker::noop());
                let _ = landing.as_mut().poll(&mut cx);
            }
            // It came when the flight was over, and leads another.
            Seat::Leader(leader) => leader.land(outcome(7)),
        });
        let stays = thread::spawn(|| match board(request()) {
            Seat::Follower(follower) => match future::block_on(follower.landing()) {
                Landing::Outcome(record) => record.epoch.get(),
                Landing::Nothing => 0,
            },
            // It came when the flight was over.
            Seat::Leader(_) => 7,
        });
        leader.land(outcome(7));
        away.join().unwrap();
        assert_eq!(stays.join().unwrap(), 7);
    });
}
