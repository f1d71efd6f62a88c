//! Many calls at once.

use fastrand::Rng;
use idempotency_runtime::{ErrorKind, InProgress, Status, SystemClock};
use tokio::task::yield_now;

use crate::Tested;
use crate::call::*;
use crate::race::race;
use crate::run::{rounds, seed};
use crate::script::*;

/// A body that gives others the chance to run beside it.
async fn slow(ledger: Ledger) -> Result<Receipt, Failure> {
    for _ in 0..20 {
        yield_now().await;
    }
    let receipt = ledger.enter();
    for _ in 0..20 {
        yield_now().await;
    }
    Ok(receipt)
}

/// How many calls have run, were replayed, and were refused. Anything else fails.
fn tally(answers: &[Result<Receipt, Failure>]) -> (usize, usize) {
    let mut tally = (0, 0);
    for answer in answers {
        match answer {
            Ok(receipt) => {
                assert_eq!(*receipt, Receipt { number: 1 });
                tally.0 += 1;
            }
            Err(Failure::Refused(error)) if error.kind() == ErrorKind::InProgress => tally.1 += 1,
            Err(other) => panic!("{other:?}"),
        }
    }
    tally
}

pub async fn of_two_calls_at_once_one_runs(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(20) {
        let (ledger, order) = (Ledger::new(), round.to_string());
        let answers = race(&mut random, 2, |_| pay(store, &order).run(slow(ledger.clone()))).await;
        assert_eq!(ledger.payments(), 1, "round {round}");
        let (valued, refused) = tally(&answers);
        assert_eq!((valued >= 1, valued + refused), (true, 2), "round {round}: {answers:?}");
        assert_eq!(store.record_of(&pay_key(&order)).await.status, Status::Completed);
    }
}

pub async fn of_many_calls_at_once_one_runs(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(5) {
        let (ledger, order) = (Ledger::new(), round.to_string());
        let answers = race(&mut random, 64, |_| pay(store, &order).run(slow(ledger.clone()))).await;
        assert_eq!(ledger.payments(), 1, "round {round}");
        assert!(tally(&answers).0 >= 1, "round {round}: {answers:?}");
        let record = store.record_of(&pay_key(&order)).await;
        assert_eq!((record.status, record.attempt), (Status::Completed, 1), "round {round}");
    }
}

pub async fn many_waiting_calls_at_once_get_one_outcome(store: &Tested) {
    // Waiting pauses for real here: the clock of the suite would stand still.
    let handle = store.handle().with_clock(SystemClock::new());
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(3) {
        let (ledger, order) = (Ledger::new(), round.to_string());
        let answers = race(&mut random, 32, |_| {
            pay_at(&handle, &order).in_progress(InProgress::Wait(TTL)).run(slow(ledger.clone()))
        })
        .await;
        assert_eq!(ledger.payments(), 1, "round {round}");
        assert_eq!(tally(&answers), (32, 0), "round {round}");
    }
}

pub async fn of_many_calls_at_once_on_an_abandoned_key_one_runs(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(5) {
        let (ledger, order) = (Ledger::new(), round.to_string());
        store.clock().set_wall(START);
        store.acquire(request(ANN, START).of(&pay_key(&order))).await;
        store.clock().set_wall(lease_dead());
        let answers = race(&mut random, 32, |_| pay(store, &order).run(slow(ledger.clone()))).await;
        assert_eq!(ledger.payments(), 1, "round {round}");
        tally(&answers);
        assert_eq!(store.record_of(&pay_key(&order)).await.attempt, 2, "round {round}");
    }
}

pub async fn calls_through_two_handles_run_once(store: &Tested) {
    let handles = [store.clone(), store.reopen().await];
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(20) {
        let (ledger, order) = (Ledger::new(), round.to_string());
        let answers =
            race(&mut random, 8, |number| pay(&handles[number % 2], &order).run(slow(ledger.clone()))).await;
        assert_eq!(ledger.payments(), 1, "round {round}");
        tally(&answers);
    }
}

pub async fn many_calls_of_different_keys_all_run_and_then_all_replay(store: &Tested) {
    let ledger = Ledger::new();
    let mut random = Rng::with_seed(seed());
    let first =
        race(&mut random, 64, |number| pay(store, &number.to_string()).run(slow(ledger.clone()))).await;
    assert_eq!(ledger.payments(), 64);
    let second =
        race(&mut random, 64, |number| pay(store, &number.to_string()).run(slow(ledger.clone()))).await;
    assert_eq!(ledger.payments(), 64);
    let values =
        |answers: Vec<Result<Receipt, Failure>>| answers.into_iter().map(value_of).collect::<Vec<_>>();
    assert_eq!(values(first), values(second));
}

pub async fn calls_that_fail_leave_the_key_to_the_next(store: &Tested) {
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(10) {
        let (ledger, order) = (Ledger::new(), round.to_string());
        race(&mut random, 16, |_| pay(store, &order).run(ledger.decline())).await;
        let failed = ledger.payments();
        let receipt = value_of(pay(store, &order).run(ledger.pay()).await);
        assert_eq!(receipt.number, failed + 1, "round {round}");
        assert_eq!(store.record_of(&pay_key(&order)).await.attempt, receipt.number, "round {round}");
    }
}

pub async fn many_calls_through_one_small_cache_run_once_per_key(store: &Tested) {
    let (counting, ledger) = (Counting::new(store), Ledger::new());
    let handle = counting.handle(store).with_cache(4, TTL);
    let mut random = Rng::with_seed(seed());
    for round in 0..rounds(5) {
        let answers = race(&mut random, 64, |number| {
            // Some keys stay in the cache, most do not.
            let order = format!("{round}:{}", if number % 2 == 0 { 0 } else { number % 16 });
            let body = ledger.clone();
            let call = pay_at(&handle, &order).in_progress(InProgress::Wait(TTL));
            async move { (order, call.run(async move { Ok::<_, Failure>(body.enter()) }).await) }
        })
        .await;
        let mut receipts = std::collections::HashMap::new();
        for (order, answer) in answers {
            let receipt = value_of(answer);
            assert_eq!(receipts.entry(order.clone()).or_insert(receipt.clone()), &receipt, "{order}");
        }
        assert_eq!(u64::from(ledger.payments()), (round + 1) * 9, "round {round}");
    }
}
