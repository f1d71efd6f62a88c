//! Effects that were announced, operations that hold their keys, and ends without a verdict.

use std::future::pending;

use idempotency_runtime::{ErrorKind, Evict, OnCrash, Operation, Status, effect_begins};
use tokio::task::JoinHandle;

use crate::Tested;
use crate::call::*;
use crate::script::*;

async fn status(store: &Tested) -> Status {
    store.record_of(&pay_key("1")).await.status
}

/// Nobody runs the body, now or later.
async fn is_unknown(store: &Tested) {
    for _ in 0..2 {
        assert_refused(pay(store, "1").run(Ledger::new().pay()).await, ErrorKind::Unknown);
        assert_eq!(status(store).await, Status::Unknown);
        store.advance(TTL);
    }
}

pub async fn an_announced_effect_is_recorded_before_the_body_goes_on(store: &Tested) {
    let body = async {
        assert!(!store.record_of(&pay_key("1")).await.announced);
        effect_begins().await?;
        assert!(store.record_of(&pay_key("1")).await.announced);
        Ok::<_, Failure>(())
    };
    value_of(pay(store, "1").run(body).await);
    assert_eq!(status(store).await, Status::Completed);
}

pub async fn an_announcement_is_one_write_however_often_it_is_made(store: &Tested) {
    let counting = Counting::new(store);
    let body = async {
        for _ in 0..3 {
            effect_begins().await?;
        }
        Ok::<_, Failure>(())
    };
    value_of(pay_at(counting.handle(store), "1").run(body).await);
    assert_eq!(counting.calls(), (1, 2, 0));
}

pub async fn an_error_after_an_announcement_leaves_the_outcome_unknown(store: &Tested) {
    let ledger = Ledger::new();
    let answer = pay(store, "1").run(ledger.announce::<Receipt>(Err(Failure::Declined(5)))).await;
    assert!(matches!(answer, Err(Failure::Declined(5))), "{answer:?}");
    is_unknown(store).await;
}

async fn panics(call: impl Future<Output = Result<(), Failure>> + Send + 'static) {
    let ended = tokio::spawn(call).await;
    assert!(ended.as_ref().is_err_and(tokio::task::JoinError::is_panic), "{ended:?}");
}

pub async fn a_panic_after_an_announcement_leaves_the_outcome_unknown(store: &Tested) {
    let body = async {
        effect_begins().await?;
        std::panic::resume_unwind(Box::new("out of paper"))
    };
    panics(pay(store, "1").run(body)).await;
    is_unknown(store).await;
}

pub async fn a_panic_before_an_announcement_frees_the_key(store: &Tested) {
    panics(pay(store, "1").run(async { std::panic::resume_unwind(Box::new("out of paper")) })).await;
    assert_eq!(value_of(pay(store, "1").run(Ledger::new().pay()).await), Receipt { number: 1 });
}

/// The call goes away; while its lease lives nobody knows that, and then the outcome is unknown.
async fn is_unknown_when_dropped(store: &Tested, call: JoinHandle<Result<(), Failure>>) {
    abort(call).await;
    assert_refused(pay(store, "1").run(Ledger::new().pay()).await, ErrorKind::InProgress);
    store.advance(LEASE + SKEW - MS);
    assert_refused(pay(store, "1").run(Ledger::new().pay()).await, ErrorKind::InProgress);
    store.advance(MS);
    is_unknown(store).await;
}

pub async fn a_call_dropped_after_an_announcement_leaves_the_outcome_unknown(store: &Tested) {
    let ledger = Ledger::new();
    let entered = ledger.clone();
    let body = async move {
        effect_begins().await?;
        entered.enter();
        pending().await
    };
    let call = tokio::spawn(pay(store, "1").run(body));
    until(async || ledger.payments() == 1).await;
    is_unknown_when_dropped(store, call).await;
}

fn holding(store: &Tested) -> Operation {
    pay(store, "1").on_crash(OnCrash::Hold)
}

pub async fn a_dropped_call_of_an_operation_that_holds_leaves_the_outcome_unknown(store: &Tested) {
    let ledger = Ledger::new();
    let entered = ledger.clone();
    let call = tokio::spawn(holding(store).run(async move {
        entered.enter();
        pending().await
    }));
    until(async || ledger.payments() == 1).await;
    is_unknown_when_dropped(store, call).await;
}

pub async fn a_panic_of_an_operation_that_holds_leaves_the_outcome_unknown(store: &Tested) {
    panics(holding(store).run(async { std::panic::resume_unwind(Box::new("out of paper")) })).await;
    is_unknown(store).await;
}

pub async fn an_error_of_an_operation_that_holds_frees_the_key(store: &Tested) {
    let ledger = Ledger::new();
    let answer = holding(store).run(ledger.decline()).await;
    assert!(matches!(answer, Err(Failure::Declined(1))), "{answer:?}");
    assert_eq!(value_of(holding(store).run(ledger.pay()).await), Receipt { number: 2 });
}

pub async fn an_announcement_that_is_refused_stops_the_body_before_its_effect(store: &Tested) {
    let ledger = Ledger::new();
    let body = async {
        let record = store.record_of(&pay_key("1")).await;
        assert!(store.evict(Evict::new(record.key, record.epoch)).await);
        ledger.announce(Ok(())).await
    };
    assert_refused(pay(store, "1").run(body).await, ErrorKind::LeaseLost);
    assert_eq!(ledger.payments(), 0);
    assert_eq!(store.inspect(&pay_key("1")).await, None);
}

pub async fn outside_of_a_body_nothing_is_announced(store: &Tested) {
    value_of(pay(store, "1").run(Ledger::new().pay()).await);
    let told = effect_begins().await;
    assert!(told.is_err_and(|error| error.kind() == ErrorKind::Misconfigured));
    assert!(!store.record_of(&pay_key("1")).await.announced);
}
