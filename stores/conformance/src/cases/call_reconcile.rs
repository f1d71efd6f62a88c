//! Calls that find out what became of an unknown outcome.

use std::future::{pending, ready};

use idempotency_runtime::{Disposition, ErrorKind, InProgress, Outcome, Reconciled, Status, with_reports};
use tokio::sync::Notify;

use crate::Tested;
use crate::call::*;
use crate::script::*;

type Found = Result<Reconciled<Receipt>, Failure>;

const APPLIED: Receipt = Receipt { number: 77 };

/// An attempt whose outcome is unknown and whose lease is dead.
async fn unknown(store: &Tested) -> Held {
    let ann = store.acquire(request(ANN, START).of(&pay_key("1")).validating(1)).await;
    store.apply(ann.announce(START)).await;
    store.apply(ann.mark_unknown(START)).await;
    store.advance(LEASE + SKEW);
    ann
}

/// A call that finds this, and says how often it was asked and how often it paid.
async fn reconcile(store: &Tested, found: impl Fn() -> Found) -> (Result<Receipt, Failure>, u32, u32) {
    let (asked, ledger) = (Ledger::new(), Ledger::new());
    let probe = |_| {
        asked.enter();
        ready(found())
    };
    let answer = pay(store, "1").run_reconciled(Outcome::new(), probe, ledger.pay()).await;
    (answer, asked.payments(), ledger.payments())
}

#[allow(clippy::unnecessary_wraps, reason = "a probe returns it so")]
fn applied() -> Found {
    Ok(Reconciled::Applied(APPLIED))
}

pub async fn an_effect_that_happened_is_the_outcome(store: &Tested) {
    unknown(store).await;
    let (call, reports) = with_reports(reconcile(store, applied)).await;
    let (answer, asked, paid) = call;
    assert_eq!((value_of(answer), asked, paid), (APPLIED, 1, 0));
    assert_eq!(reports[0].disposition, Disposition::Reconciled);
    let record = store.record_of(&pay_key("1")).await;
    assert_eq!((record.status, record.attempt), (Status::Completed, 1));
    let (answer, asked, paid) = reconcile(&store.reopen().await, applied).await;
    assert_eq!((value_of(answer), asked, paid), (APPLIED, 0, 0));
}

pub async fn an_effect_that_did_not_happen_lets_the_body_run(store: &Tested) {
    unknown(store).await;
    let (answer, asked, paid) = reconcile(store, || Ok(Reconciled::NotApplied)).await;
    assert_eq!((value_of(answer), asked, paid), (Receipt { number: 1 }, 1, 1));
    let record = store.record_of(&pay_key("1")).await;
    assert_eq!((record.status, record.attempt, record.announced), (Status::Completed, 2, false));
}

pub async fn a_probe_that_cannot_find_out_is_asked_again_when_the_error_says(store: &Tested) {
    unknown(store).await;
    let (answer, asked, paid) = reconcile(store, || Ok(Reconciled::StillUnknown)).await;
    let told = refusal(answer);
    assert_eq!((told.kind(), asked, paid), (ErrorKind::Unknown, 1, 0));
    let pause = told.retry_after().unwrap_or_else(|| panic!("{told} does not say when to retry"));
    store.advance(pause - MS);
    let (answer, asked, _) = reconcile(store, applied).await;
    let told = refusal(answer);
    assert_eq!((told.kind(), asked, told.retry_after()), (ErrorKind::Unknown, 0, Some(MS)));
    store.advance(MS);
    let (answer, asked, _) = reconcile(store, applied).await;
    assert_eq!((value_of(answer), asked), (APPLIED, 1));
}

pub async fn an_error_of_the_probe_is_that_of_the_call(store: &Tested) {
    unknown(store).await;
    let (answer, _, paid) = reconcile(store, || Err(Failure::Declined(9))).await;
    assert!(matches!(answer, Err(Failure::Declined(9))), "{answer:?}");
    assert_eq!(paid, 0);
    assert_eq!(store.record_of(&pay_key("1")).await.status, Status::Unknown);
    store.advance(LEASE + SKEW);
    assert_eq!(value_of(reconcile(store, applied).await.0), APPLIED);
}

pub async fn a_probe_that_does_not_end_is_dropped_in_time(store: &Tested) {
    unknown(store).await;
    let call = pay(store, "1").run_reconciled(Outcome::new(), |_| pending::<Found>(), Ledger::new().pay());
    let call = tokio::spawn(call);
    until(async || store.clock().sleepers() == 1 || call.is_finished()).await;
    store.advance(LEASE - SKEW - MS);
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    assert!(!call.is_finished(), "the probe had time left");
    store.advance(MS);
    let told = refusal(call.await.unwrap_or_else(|error| panic!("{error}")));
    // Its right ends with the lease and the skew budget.
    assert_eq!((told.kind(), told.retry_after()), (ErrorKind::Unknown, Some(SKEW * 2)));
    store.advance(SKEW * 2);
    assert_eq!(value_of(reconcile(store, applied).await.0), APPLIED);
}

pub async fn of_two_callers_one_finds_out(store: &Tested) {
    unknown(store).await;
    let (asked, go_on) = (Ledger::new(), std::sync::Arc::new(Notify::new()));
    let probe = {
        let (asked, go_on) = (asked.clone(), go_on.clone());
        move |_| {
            let (asked, go_on) = (asked.clone(), go_on.clone());
            async move {
                asked.enter();
                go_on.notified().await;
                applied()
            }
        }
    };
    let first = tokio::spawn(pay(store, "1").run_reconciled(Outcome::new(), probe, Ledger::new().pay()));
    until(async || asked.payments() == 1).await;
    let (answer, asked, paid) = reconcile(store, applied).await;
    let told = refusal(answer);
    assert_eq!((told.kind(), asked, paid), (ErrorKind::Unknown, 0, 0));
    assert_eq!(told.retry_after(), Some(LEASE + SKEW));
    go_on.notify_one();
    assert_eq!(value_of(first.await.unwrap_or_else(|error| panic!("{error}"))), APPLIED);
}

pub async fn a_probe_is_told_which_attempt_it_is_about(store: &Tested) {
    let ann = unknown(store).await;
    let probe = |about: idempotency_runtime::UnknownOutcome| {
        assert_eq!((about.operation.as_str(), about.key), ("pay", pay_key("1")));
        assert_eq!((about.attempt, about.since, about.epoch), (1, START, ann.epoch.next()));
        ready(applied())
    };
    let call = pay(store, "1").run_reconciled(Outcome::new(), probe, Ledger::new().pay());
    assert_eq!(value_of(call.await), APPLIED);
}

pub async fn nobody_is_asked_before_the_lease_is_dead(store: &Tested) {
    let ann = store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    store.apply(ann.mark_unknown(START)).await;
    store.advance(LEASE + SKEW - MS);
    let (answer, asked, paid) = reconcile(store, applied).await;
    let told = refusal(answer);
    assert_eq!((told.kind(), asked, paid), (ErrorKind::Unknown, 0, 0));
    assert_eq!((told.until(), told.retry_after()), (Some(after(LEASE)), Some(MS)));
}

pub async fn nobody_is_asked_before_the_effect_may_have_ended(store: &Tested) {
    unknown(store).await;
    let call = async |found: fn() -> Found| {
        let (asked, ledger) = (Ledger::new(), Ledger::new());
        let probe = |_| {
            asked.enter();
            ready(found())
        };
        let call = pay(store, "1").effect_timeout(SECOND * 90);
        let answer = call.run_reconciled(Outcome::new(), probe, ledger.pay()).await;
        (answer, asked.payments(), ledger.payments())
    };
    let (answer, asked, paid) = call(applied).await;
    let told = refusal(answer);
    assert_eq!((told.kind(), asked, paid), (ErrorKind::Unknown, 0, 0));
    assert_eq!((told.until(), told.retry_after()), (Some(after(LEASE + SECOND * 90)), Some(SECOND * 90)));
    store.advance(SECOND * 90);
    // Who could not find out says when to come again, and means it.
    let (answer, asked, _) = call(|| Ok(Reconciled::StillUnknown)).await;
    let told = refusal(answer);
    assert_eq!((told.retry_after(), asked), (Some(LEASE + SKEW + SECOND * 90), 1));
    store.advance(LEASE + SKEW + SECOND * 90 - MS);
    assert_eq!(call(applied).await.1, 0);
    store.advance(MS);
    assert_eq!(value_of(call(applied).await.0), APPLIED);
}

pub async fn an_announced_attempt_that_died_is_found_out_about_in_one_claim_and_one_write(store: &Tested) {
    let ann = store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    store.apply(ann.announce(START)).await;
    store.advance(LEASE + SKEW);
    let counting = Counting::new(store);
    let call = pay_at(counting.handle(store), "1");
    let call = call.run_reconciled(Outcome::new(), |_| ready(applied()), Ledger::new().pay());
    assert_eq!(value_of(call.await), APPLIED);
    assert_eq!(counting.calls(), (1, 1, 0));
}

pub async fn the_map_for_duplicates_is_used_on_what_was_found(store: &Tested) {
    unknown(store).await;
    let outcome = Outcome::new().replayed(|Receipt { number }| Receipt { number: number + 1 });
    let call = pay(store, "1").run_reconciled(outcome, |_| ready(applied()), Ledger::new().pay());
    assert_eq!(value_of(call.await), Receipt { number: 78 });
    assert_eq!(value_of(pay(store, "1").run(Ledger::new().pay()).await), APPLIED);
}

pub async fn nobody_is_asked_where_the_outcome_is_known_or_another_request_is_made(store: &Tested) {
    let (answer, asked, _) = reconcile(store, applied).await;
    assert_eq!((value_of(answer), asked), (Receipt { number: 1 }, 0));
    let (answer, asked, _) = reconcile(store, applied).await;
    assert_eq!((value_of(answer), asked), (Receipt { number: 1 }, 0));
}

pub async fn another_request_is_a_mismatch_and_nobody_is_asked(store: &Tested) {
    unknown(store).await;
    let probe = |_| -> std::future::Ready<Found> { panic!("the probe was asked") };
    let call = pay(store, "1").validate(&2).run_reconciled(Outcome::new(), probe, Ledger::new().pay());
    assert_refused(call.await, ErrorKind::Mismatch);
}

pub async fn a_probe_that_panics_leaves_it_to_a_later_call(store: &Tested) {
    unknown(store).await;
    let probe = |_| async { std::panic::resume_unwind(Box::new("out of paper")) as Found };
    let call = pay(store, "1").run_reconciled(Outcome::new(), probe, Ledger::new().pay());
    assert!(tokio::spawn(call).await.is_err_and(|error| error.is_panic()));
    assert_refused(reconcile(store, applied).await.0, ErrorKind::Unknown);
    store.advance(LEASE + SKEW);
    assert_eq!(value_of(reconcile(store, applied).await.0), APPLIED);
}

pub async fn a_waiting_call_finds_out_when_the_lease_is_dead(store: &Tested) {
    let ann = store.acquire(request(ANN, START).of(&pay_key("1"))).await;
    store.apply(ann.announce(START)).await;
    let call = pay(store, "1").in_progress(InProgress::Wait(TTL));
    let call = call.run_reconciled(Outcome::new(), |_| ready(applied()), Ledger::new().pay());
    let call = tokio::spawn(call);
    while !call.is_finished() {
        if store.clock().sleepers() > 0 {
            store.advance(SECOND / 2);
        }
        tokio::task::yield_now().await;
    }
    assert_eq!(value_of(call.await.unwrap_or_else(|error| panic!("{error}"))), APPLIED);
}

pub async fn a_terminal_error_of_the_probe_is_what_the_attempt_has_failed_with(store: &Tested) {
    unknown(store).await;
    let ledger = Ledger::new();
    for asked in [1, 1] {
        let probe = |_| {
            ledger.enter();
            ready(Err(Failure::Final(7)))
        };
        let outcome = Outcome::<Receipt, Failure>::new().classified();
        let answer = pay(store, "1").run_reconciled(outcome, probe, Ledger::new().pay()).await;
        assert!(matches!(answer, Err(Failure::Final(7))), "{answer:?}");
        assert_eq!(ledger.payments(), asked);
    }
    assert_eq!(store.record_of(&pay_key("1")).await.status, Status::Failed);
}
