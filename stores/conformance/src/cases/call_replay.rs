//! Duplicates of a finished call.

use std::collections::BTreeMap;

use idempotency_runtime::{Completed, Disposition, ErrorKind, Outcome, with_reports};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Tested;
use crate::call::*;
use crate::script::*;

pub async fn a_duplicate_gets_the_recorded_value_and_the_body_does_not_run(store: &Tested) {
    let ledger = Ledger::new();
    let first = value_of(pay(store, "1").run(ledger.pay()).await);
    let second = value_of(pay(store, "1").run(ledger.pay()).await);
    assert_eq!(first, second);
    assert_eq!(ledger.payments(), 1);
}

pub async fn every_duplicate_within_the_ttl_gets_the_same_value(store: &Tested) {
    let ledger = Ledger::new();
    for _ in 0..4 {
        assert_eq!(value_of(pay(store, "1").run(ledger.pay()).await), Receipt { number: 1 });
        store.advance(TTL / 4);
    }
}

pub async fn a_replay_makes_one_claim_and_nothing_else(store: &Tested) {
    let counting = Counting::new(store);
    let ledger = Ledger::new();
    value_of(pay_at(counting.handle(store), "1").run(ledger.pay()).await);
    counting.calls();
    value_of(pay_at(counting.handle(store), "1").run(ledger.pay()).await);
    assert_eq!(counting.calls(), (1, 0, 0));
}

pub async fn a_replay_changes_nothing_in_the_record(store: &Tested) {
    let ledger = Ledger::new();
    value_of(pay(store, "1").run(ledger.pay()).await);
    let before = store.record_of(&pay_key("1")).await;
    store.advance(SECOND);
    value_of(pay(store, "1").ttl(TTL * 2).run(ledger.pay()).await);
    assert_eq!(store.record_of(&pay_key("1")).await, before);
}

pub async fn a_replay_by_a_handle_opened_later_gets_the_same_value(store: &Tested) {
    let ledger = Ledger::new();
    let first = value_of(pay(store, "1").run(ledger.pay()).await);
    let second = store.reopen().await;
    assert_eq!(value_of(pay(&second, "1").run(ledger.pay()).await), first);
    assert_eq!(ledger.payments(), 1);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Order<T> {
    id: String,
    lines: Vec<T>,
    note: Option<String>,
    state: State,
    prices: BTreeMap<String, f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum State {
    Open,
    Sent { by: String },
}

/// The first call and the duplicate both return `value`.
async fn comes_back<T>(store: &Tested, value: T)
where
    T: Clone + std::fmt::Debug + PartialEq + Serialize + DeserializeOwned,
{
    let order = format!("{value:?}");
    for _ in 0..2 {
        let call = pay(store, &order).run(async { Ok::<_, Failure>(value.clone()) });
        assert_eq!(value_of(call.await), value);
    }
}

pub async fn a_replay_has_the_declared_type(store: &Tested) {
    let order = Order {
        id: "ORD-1".into(),
        lines: vec![(1_u8, 'x'), (2, 'ü')],
        note: None,
        state: State::Sent { by: "post".into() },
        prices: BTreeMap::from([("net".into(), 0.1 + 0.2), ("gross".into(), 1e-300)]),
    };
    comes_back(store, order).await;
    comes_back(store, State::Open).await;
}

pub async fn a_string_comes_back_exactly(store: &Tested) {
    for text in ["", "plain", "\"quoted\"", "null", "{\"a\":1}", "line\nbreak\u{0}\u{1f980}"] {
        let call = pay(store, &format!("<{text}>")).run(async { Ok::<_, Failure>(text.to_owned()) });
        assert_eq!(value_of(call.await), text);
        let again = pay(store, &format!("<{text}>")).run(async { Ok::<_, Failure>(String::from("other")) });
        assert_eq!(value_of(again.await), text);
    }
}

pub async fn empty_and_false_values_come_back(store: &Tested) {
    comes_back(store, ()).await;
    comes_back(store, 0_u8).await;
    comes_back(store, false).await;
    comes_back(store, None::<u8>).await;
    comes_back(store, Some(0_u8)).await;
    comes_back(store, Vec::<u8>::new()).await;
    comes_back(store, Some(String::new())).await;
}

pub async fn numbers_come_back_exactly(store: &Tested) {
    comes_back(store, u64::MAX).await;
    comes_back(store, (1_u64 << 53) + 1).await;
    comes_back(store, i64::MIN).await;
    comes_back(store, i128::MIN).await;
    comes_back(store, u128::MAX).await;
    comes_back(store, 0.1_f64 + 0.2).await;
    comes_back(store, f64::MIN_POSITIVE).await;
}

/// The first caller gets its value; duplicates are told that it was not kept; the body runs once.
async fn is_not_kept<T>(store: &Tested, order: &str, make: impl Fn() -> T) -> T
where
    T: std::fmt::Debug + Serialize + DeserializeOwned,
{
    let ledger = Ledger::new();
    let call = || async {
        ledger.enter();
        Ok::<_, Failure>(make())
    };
    let first = value_of(pay(store, order).run(call()).await);
    for _ in 0..2 {
        assert_refused(pay(store, order).run(call()).await, ErrorKind::ValueNotKept);
    }
    assert_eq!(ledger.payments(), 1);
    first
}

pub async fn a_value_that_cannot_be_carried_back_is_not_kept_and_not_run_again(store: &Tested) {
    assert!(is_not_kept(store, "nan", || f64::NAN).await.is_nan());
    assert_eq!(is_not_kept(store, "nested", || Some(None::<u8>)).await, Some(None));
}

pub async fn a_duplicate_may_be_told_already_completed_instead(store: &Tested) {
    let ledger = Ledger::new();
    value_of(pay(store, "1").completed(Completed::Reject).run(ledger.pay()).await);
    let told = refusal(pay(store, "1").completed(Completed::Reject).run(ledger.pay()).await);
    assert_eq!((told.kind(), told.since()), (ErrorKind::AlreadyCompleted, Some(START)));
    assert_eq!(ledger.payments(), 1);
}

fn replayed(value: u32) -> u32 {
    value + 100
}

pub async fn duplicates_get_the_mapped_value_and_the_record_keeps_the_first(store: &Tested) {
    let outcome = || Outcome::<u32, Failure>::new().replayed(replayed);
    assert_eq!(value_of(pay(store, "1").run_as(outcome(), async { Ok(1) }).await), 1);
    assert_eq!(value_of(pay(store, "1").run_as(outcome(), async { Ok(2) }).await), 101);
    assert_eq!(value_of(pay(store, "1").run_as(outcome(), async { Ok(2) }).await), 101);
    assert_eq!(store.record_of(&pay_key("1")).await.value, Some(value("1")));
}

pub async fn the_map_is_used_for_an_empty_value_too(store: &Tested) {
    let outcome = || Outcome::<Option<u32>, Failure>::new().replayed(|value| value.or(Some(7)));
    assert_eq!(value_of(pay(store, "1").run_as(outcome(), async { Ok(None) }).await), None);
    assert_eq!(value_of(pay(store, "1").run_as(outcome(), async { Ok(None) }).await), Some(7));
}

pub async fn the_map_is_not_used_where_there_is_no_outcome(store: &Tested) {
    let outcome = || Outcome::<u32, Failure>::new().replayed(|_| panic!("there is nothing to replay"));
    let held = store.acquire(request(ANN, START).of(&pay_key("busy"))).await;
    assert_refused(pay(store, "busy").run_as(outcome(), async { Ok(1) }).await, ErrorKind::InProgress);
    store.apply(held.mark_unknown(START)).await;
    assert_refused(pay(store, "busy").run_as(outcome(), async { Ok(1) }).await, ErrorKind::Unknown);
    let first = store.acquire(request(ANN, START).of(&pay_key("other")).validating(1)).await;
    store.apply(first.complete(START)).await;
    let other = pay(store, "other").validate(&2_u8).run_as(outcome(), async { Ok(1) });
    assert_refused(other.await, ErrorKind::Mismatch);
}

pub async fn a_replay_tells_the_times_of_the_record(store: &Tested) {
    value_of(pay(store, "1").run(Ledger::new().pay()).await);
    store.advance(SECOND);
    let (answer, reports) = with_reports(pay(store, "1").run(Ledger::new().pay())).await;
    value_of(answer);
    assert_eq!(reports[0].disposition, Disposition::Replayed);
    assert_eq!((reports[0].completed_at, reports[0].expires_at), (Some(START), Some(after(TTL))));
}

pub async fn two_equal_calls_inside_one_body_make_one_record(store: &Tested) {
    let ledger = Ledger::new();
    let batch = pay(store, "batch").run(async {
        let first = pay(store, "item").run(ledger.pay()).await?;
        let second = pay(store, "item").run(ledger.pay()).await?;
        Ok::<_, Failure>((first.number, second.number))
    });
    assert_eq!(value_of(batch.await), (1, 1));
    assert_eq!(ledger.payments(), 1);
}

pub async fn a_recorded_value_of_another_type_is_an_error_and_not_run_again(store: &Tested) {
    let ledger = Ledger::new();
    value_of(pay(store, "1").run(async { Ok::<_, Failure>(String::from("text")) }).await);
    assert_refused(pay(store, "1").run(ledger.pay()).await, ErrorKind::Codec);
    assert_eq!(ledger.payments(), 0);
}
