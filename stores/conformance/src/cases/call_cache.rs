//! The cache of final outcomes in the process.

use std::time::Duration;

use idempotency_runtime::{AnyStore, ByHand, Completion, ErrorKind, Evict, Outcome};

use crate::Tested;
use crate::call::*;
use crate::script::*;

/// How long the cache answers.
const AGE: Duration = Duration::from_secs(60);

struct Cached {
    counting: Counting,
    handle: AnyStore,
    ledger: Ledger,
}

impl Cached {
    fn new(store: &Tested, entries: usize) -> Self {
        let counting = Counting::new(store);
        let handle = counting.handle(store).with_cache(entries, AGE);
        Self { counting, handle, ledger: Ledger::new() }
    }

    async fn pay(&self, order: &str) -> u32 {
        value_of(pay_at(&self.handle, order).run(self.ledger.pay()).await).number
    }
}

pub async fn a_replay_from_the_cache_makes_no_call_of_the_store(store: &Tested) {
    let cached = Cached::new(store, 100);
    assert_eq!(cached.pay("1").await, 1);
    assert_eq!(cached.counting.calls(), (1, 1, 0));
    for _ in 0..3 {
        assert_eq!(cached.pay("1").await, 1);
    }
    assert_eq!(cached.counting.calls(), (0, 0, 0));
}

pub async fn an_outcome_that_was_read_is_kept_too(store: &Tested) {
    value_of(pay(store, "1").run(Ledger::new().pay()).await);
    let cached = Cached::new(store, 100);
    for expected in [(1, 0, 0), (0, 0, 0)] {
        assert_eq!(cached.pay("1").await, 1);
        assert_eq!(cached.counting.calls(), expected);
    }
    assert_eq!(cached.ledger.payments(), 0);
}

pub async fn a_terminal_error_is_kept_too(store: &Tested) {
    let cached = Cached::new(store, 100);
    for expected in [(1, 1, 0), (0, 0, 0)] {
        let body = async { Err::<Receipt, _>(Failure::Final(cached.ledger.enter().number)) };
        let told = pay_at(&cached.handle, "1").run_as(Outcome::new().classified(), body).await;
        assert!(matches!(told, Err(Failure::Final(1))), "{told:?}");
        assert_eq!(cached.counting.calls(), expected);
    }
}

pub async fn a_mismatch_is_found_and_leaves_the_cache_as_it_is(store: &Tested) {
    let cached = Cached::new(store, 100);
    let call =
        async |number: u32| pay_at(&cached.handle, "1").validate(&number).run(cached.ledger.pay()).await;
    value_of(call(1).await);
    cached.counting.calls();
    assert_refused(call(2).await, ErrorKind::Mismatch);
    cached.counting.calls();
    assert_eq!(value_of(call(1).await), Receipt { number: 1 });
    assert_eq!(cached.counting.calls(), (0, 0, 0));
}

pub async fn an_outcome_past_its_ttl_is_not_replayed_from_the_cache(store: &Tested) {
    let cached = Cached::new(store, 100);
    let call =
        async || value_of(pay_at(&cached.handle, "1").ttl(SECOND * 4).run(cached.ledger.pay()).await).number;
    assert_eq!(call().await, 1);
    store.advance(SECOND * 4);
    assert_eq!(call().await, 1);
    assert_eq!(cached.counting.calls(), (1, 1, 0));
    store.advance(MS);
    assert_eq!(call().await, 2);
    assert_eq!(cached.counting.calls(), (1, 1, 0));
    assert_eq!(call().await, 2);
    assert_eq!(cached.counting.calls(), (0, 0, 0));
}

pub async fn an_outcome_past_the_age_of_the_cache_is_read_again(store: &Tested) {
    let cached = Cached::new(store, 100);
    cached.pay("1").await;
    cached.counting.calls();
    store.advance(AGE);
    cached.pay("1").await;
    assert_eq!(cached.counting.calls(), (0, 0, 0));
    store.advance(MS);
    assert_eq!(cached.pay("1").await, 1);
    assert_eq!(cached.counting.calls(), (1, 0, 0));
    // It counts from the last time it was read.
    store.advance(AGE);
    cached.pay("1").await;
    assert_eq!(cached.counting.calls(), (0, 0, 0));
}

pub async fn an_evicted_record_is_forgotten_by_the_cache(store: &Tested) {
    let cached = Cached::new(store, 100);
    assert_eq!(cached.pay("1").await, 1);
    let record = store.record_of(&pay_key("1")).await;
    let evicted = cached.handle.evict(Evict::new(record.key, record.epoch)).await;
    assert!(evicted.is_ok_and(|evicted| evicted));
    assert_eq!(cached.pay("1").await, 2);
}

pub async fn an_outcome_recorded_by_hand_replaces_the_one_in_the_cache(store: &Tested) {
    let cached = Cached::new(store, 100);
    assert_eq!(cached.pay("1").await, 1);
    // Another process removes the record, which this cache does not see.
    let record = store.record_of(&pay_key("1")).await;
    assert!(store.evict(Evict::new(record.key, record.epoch)).await);
    let by_hand = Completion::new(&Receipt { number: 42 }, TTL).unwrap_or_else(|error| panic!("{error}"));
    let marked = cached.handle.mark_completed(&pay_key("1"), by_hand).await;
    assert!(matches!(marked, Ok(ByHand::Done)), "{marked:?}");
    assert_eq!(cached.pay("1").await, 42);
}

pub async fn what_has_no_outcome_is_never_in_the_cache(store: &Tested) {
    let cached = Cached::new(store, 100);
    let key = pay_key("1");
    let ann = store.acquire(request(ANN, START).of(&key)).await;
    let refused = async |kind| {
        assert_refused(pay_at(&cached.handle, "1").run(cached.ledger.pay()).await, kind);
        assert_eq!(cached.counting.calls(), (1, 0, 0));
    };
    refused(ErrorKind::InProgress).await;
    refused(ErrorKind::InProgress).await;
    store.apply(ann.mark_unknown(START)).await;
    refused(ErrorKind::Unknown).await;
    refused(ErrorKind::Unknown).await;
    let bob = store.probe(request(BOB, lease_dead()).of(&key)).await;
    store.apply(bob.found_not_applied(START)).await;
    let failed = pay_at(&cached.handle, "1").run(cached.ledger.decline()).await;
    assert!(matches!(failed, Err(Failure::Declined(1))), "{failed:?}");
    assert_eq!(cached.pay("1").await, 2);
}

pub async fn a_full_cache_asks_the_store(store: &Tested) {
    let cached = Cached::new(store, 2);
    for round in 0..2 {
        for order in 1..=20_u32 {
            assert_eq!(cached.pay(&order.to_string()).await, order, "round {round}");
        }
    }
    let (claims, writes, _) = cached.counting.calls();
    assert!(claims >= 20 + 18, "{claims} claims: more than two outcomes were kept");
    assert_eq!(writes, 20);
}

pub async fn without_a_cache_every_replay_asks_the_store(store: &Tested) {
    let counting = Counting::new(store);
    let handle = counting.handle(store);
    for expected in [(1, 1, 0), (1, 0, 0), (1, 0, 0)] {
        value_of(pay_at(&handle, "1").run(Ledger::new().pay()).await);
        assert_eq!(counting.calls(), expected);
    }
}
