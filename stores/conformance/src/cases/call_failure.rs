//! Bodies that fail.

use std::future::pending;

use idempotency_runtime::{Disposition, Previous, Status, with_reports};

use crate::Tested;
use crate::call::*;
use crate::script::*;

fn assert_declined<T: std::fmt::Debug>(answer: &Result<T, Failure>, number: u32) {
    assert!(matches!(answer, Err(Failure::Declined(told)) if *told == number), "{answer:?}");
}

pub async fn the_error_of_the_body_comes_back_as_it_is(store: &Tested) {
    assert_declined(&pay(store, "1").run(Ledger::new().decline()).await, 1);
}

pub async fn a_failed_call_leaves_a_released_record(store: &Tested) {
    let mut running = None;
    let call = pay(store, "1").run(async {
        running = Some(store.record_of(&pay_key("1")).await);
        store.advance(SECOND);
        Ledger::new().decline().await
    });
    assert_declined(&call.await, 1);
    let mut expected = running.unwrap_or_else(|| panic!("the body has not run"));
    expected.status = Status::Released;
    expected.retain_until = Some(after(SECOND + TTL));
    assert_eq!(store.record_of(&pay_key("1")).await, expected);
}

pub async fn after_a_failure_the_next_call_runs_the_body_again(store: &Tested) {
    let ledger = Ledger::new();
    assert_declined(&pay(store, "1").run(ledger.decline()).await, 1);
    assert_declined(&pay(store, "1").run(ledger.decline()).await, 2);
    assert_eq!(value_of(pay(store, "1").run(ledger.pay()).await), Receipt { number: 3 });
    assert_eq!(value_of(pay(store, "1").run(ledger.pay()).await), Receipt { number: 3 });
}

pub async fn a_failed_call_makes_one_claim_and_one_write(store: &Tested) {
    let counting = Counting::new(store);
    assert_declined(&pay_at(counting.handle(store), "1").run(Ledger::new().decline()).await, 1);
    assert_eq!(counting.calls(), (1, 1, 0));
}

pub async fn the_attempt_after_a_failure_is_the_second(store: &Tested) {
    let ledger = Ledger::new();
    let (answer, first) = with_reports(pay(store, "1").run(ledger.decline())).await;
    assert_declined(&answer, 1);
    assert_eq!(first[0].disposition, Disposition::Released);
    let (answer, second) = with_reports(pay(store, "1").run(ledger.pay())).await;
    value_of(answer);
    assert_eq!((second[0].attempt, second[0].previous), (Some(2), Some(Previous::Released)));
    assert!(second[0].epoch > first[0].epoch);
}

pub async fn a_corrected_request_after_a_failure_runs(store: &Tested) {
    let ledger = Ledger::new();
    assert_declined(&pay(store, "1").validate("wrong").run(ledger.decline()).await, 1);
    value_of(pay(store, "1").validate("right").run(ledger.pay()).await);
    assert_eq!(ledger.payments(), 2);
}

pub async fn a_panic_releases_the_key_and_goes_on_unchanged(store: &Tested) {
    let ledger = Ledger::new();
    let call = pay(store, "1")
        .run(async { std::panic::resume_unwind(Box::new("out of paper")) as Result<(), Failure> });
    let ended = tokio::spawn(call).await;
    match ended {
        Err(failed) if failed.is_panic() => {
            assert_eq!(failed.into_panic().downcast_ref::<&str>(), Some(&"out of paper"));
        }
        other => panic!("the panic did not go on: {other:?}"),
    }
    let record = store.record_of(&pay_key("1")).await;
    assert_eq!((record.status, record.value), (Status::Released, None));
    assert_eq!(value_of(pay(store, "1").run(ledger.pay()).await), Receipt { number: 1 });
}

pub async fn a_call_that_is_dropped_leaves_the_key_to_its_lease(store: &Tested) {
    let ledger = Ledger::new();
    let entered = ledger.clone();
    let call = pay(store, "1").run(async move {
        entered.enter();
        pending::<Result<Receipt, Failure>>().await
    });
    let task = tokio::spawn(call);
    until(async || ledger.payments() == 1).await;
    task.abort();
    assert!(task.await.is_err_and(|error| error.is_cancelled()));
    let in_progress = idempotency_runtime::ErrorKind::InProgress;
    assert_refused(pay(store, "1").run(ledger.pay()).await, in_progress);
    store.advance(LEASE + SKEW);
    assert_eq!(value_of(pay(store, "1").run(ledger.pay()).await), Receipt { number: 2 });
    let record = store.record_of(&pay_key("1")).await;
    assert_eq!((record.status, record.attempt), (Status::Completed, 2));
}

pub async fn the_errors_of_this_library_inside_a_body_do_not_run_it_again(store: &Tested) {
    let ledger = Ledger::new();
    store.acquire(request(ANN, START).of(&pay_key("inner"))).await;
    let outer = pay(store, "outer").run(async {
        ledger.enter();
        pay(store, "inner").run(ledger.pay()).await
    });
    let told = refusal(outer.await);
    assert_eq!(told.key(), Some(&pay_key("inner")));
    assert!(told.is_retryable());
    assert_eq!(ledger.payments(), 1);
    assert_eq!(store.record_of(&pay_key("outer")).await.status, Status::Released);
}
