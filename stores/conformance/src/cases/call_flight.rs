//! Callers of one process that wait for the same request share one way to the store.

use std::sync::Arc;
use std::time::Duration;

use idempotency_runtime::{AnyStore, ErrorKind, InProgress, Operation};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::Tested;
use crate::call::*;
use crate::script::*;

type Call = JoinHandle<Result<Receipt, Failure>>;

const FOLLOWERS: u32 = 20;

/// A leader whose body waits for the case, and those who may follow it.
struct Flight {
    counting: Counting,
    handle: AnyStore,
    ledger: Ledger,
    land: Arc<Notify>,
    leader: Call,
}

impl Flight {
    async fn begin(store: &Tested, end: fn(Receipt) -> Result<Receipt, Failure>) -> Self {
        let counting = Counting::new(store);
        let (handle, ledger, land) = (counting.handle(store), Ledger::new(), Arc::new(Notify::new()));
        let (entered, landing) = (ledger.clone(), land.clone());
        let leader = tokio::spawn(waiting(&handle, TTL).validate(&1).run(async move {
            let receipt = entered.enter();
            landing.notified().await;
            end(receipt)
        }));
        until(async || ledger.payments() == 1).await;
        Self { counting, handle, ledger, land, leader }
    }

    /// Callers that wait, and have had the time to take their seats.
    async fn follow(&self, count: u32, wait: Duration) -> Vec<Call> {
        let followers =
            (0..count).map(|_| tokio::spawn(waiting(&self.handle, wait).validate(&1).run(self.ledger.pay())));
        let followers = followers.collect();
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        followers
    }
}

fn waiting(handle: &AnyStore, wait: Duration) -> Operation {
    pay_at(handle, "1").in_progress(InProgress::Wait(wait))
}

async fn answer(call: Call) -> Result<Receipt, Failure> {
    call.await.unwrap_or_else(|error| panic!("{error}"))
}

/// Lets time pass until all calls have ended, and none while a call is at the store.
async fn answers(store: &Tested, calls: Vec<Call>) -> Vec<Result<Receipt, Failure>> {
    loop {
        let left = calls.iter().filter(|call| !call.is_finished()).count();
        if left == 0 {
            break;
        }
        if store.clock().sleepers() >= left {
            store.advance(SECOND / 2);
        }
        tokio::task::yield_now().await;
    }
    let mut answers = Vec::new();
    for call in calls {
        answers.push(answer(call).await);
    }
    answers
}

pub async fn many_followers_get_the_outcome_of_their_leader_without_a_look_at_the_store(store: &Tested) {
    let flight = Flight::begin(store, Ok).await;
    let followers = flight.follow(FOLLOWERS, TTL).await;
    flight.land.notify_one();
    assert_eq!(value_of(answer(flight.leader).await), Receipt { number: 1 });
    for follower in followers {
        assert_eq!(value_of(answer(follower).await), Receipt { number: 1 });
    }
    assert_eq!(flight.counting.calls(), (1, 1, 0));
    assert_eq!(flight.ledger.payments(), 1);
}

pub async fn followers_of_a_leader_that_is_dropped_go_to_the_store(store: &Tested) {
    let flight = Flight::begin(store, Ok).await;
    let followers = flight.follow(3, TTL).await;
    abort(flight.leader).await;
    for told in answers(store, followers).await {
        assert_eq!(value_of(told), Receipt { number: 2 });
    }
    assert_eq!(store.record_of(&pay_key("1")).await.attempt, 2);
}

pub async fn followers_of_a_leader_that_fails_go_to_the_store(store: &Tested) {
    let flight = Flight::begin(store, |receipt| Err(Failure::Declined(receipt.number))).await;
    let followers = flight.follow(3, TTL).await;
    flight.land.notify_one();
    assert!(matches!(answer(flight.leader).await, Err(Failure::Declined(1))));
    for told in answers(store, followers).await {
        assert_eq!(value_of(told), Receipt { number: 2 });
    }
    assert_eq!(flight.ledger.payments(), 2);
}

pub async fn another_request_does_not_follow(store: &Tested) {
    let flight = Flight::begin(store, Ok).await;
    let other = waiting(&flight.handle, TTL).validate(&2).run(flight.ledger.pay());
    assert_refused(other.await, ErrorKind::Mismatch);
    let none = tokio::spawn(waiting(&flight.handle, TTL).run(flight.ledger.pay()));
    flight.land.notify_one();
    value_of(answer(flight.leader).await);
    for told in answers(store, vec![none]).await {
        assert_eq!(value_of(told), Receipt { number: 1 });
    }
}

pub async fn a_follower_waits_no_longer_than_it_says(store: &Tested) {
    let flight = Flight::begin(store, Ok).await;
    let followers = flight.follow(2, SECOND).await;
    store.advance(SECOND - MS);
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(followers.iter().all(|follower| !follower.is_finished()));
    store.advance(MS);
    for follower in followers {
        assert_refused(answer(follower).await, ErrorKind::InProgress);
    }
    flight.land.notify_one();
    assert_eq!(value_of(answer(flight.leader).await), Receipt { number: 1 });
}

pub async fn a_call_that_does_not_wait_does_not_follow(store: &Tested) {
    let flight = Flight::begin(store, Ok).await;
    let call = pay_at(&flight.handle, "1").validate(&1).run(flight.ledger.pay());
    assert_refused(call.await, ErrorKind::InProgress);
    flight.land.notify_one();
    value_of(answer(flight.leader).await);
}

pub async fn a_follower_gets_the_error_that_its_leader_has_recorded(store: &Tested) {
    let (handle, ledger, land) = (store.handle(), Ledger::new(), Arc::new(Notify::new()));
    let call = || {
        let (ledger, land) = (ledger.clone(), land.clone());
        waiting(&handle, TTL).run_as(idempotency_runtime::Outcome::new().classified(), async move {
            let number = ledger.enter().number;
            land.notified().await;
            Err::<Receipt, _>(Failure::Final(number))
        })
    };
    let calls = [tokio::spawn(call()), tokio::spawn(call())];
    until(async || ledger.payments() == 1).await;
    land.notify_one();
    for call in calls {
        let told = answer(call).await;
        assert!(matches!(told, Err(Failure::Final(1))), "{told:?}");
    }
}
