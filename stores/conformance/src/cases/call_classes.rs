//! What an error of the body says about its effect.

use idempotency_runtime::{
    Classify, Error, ErrorClass, ErrorKind, Outcome, RecordedValue, Status, TerminalErrors,
};

use crate::Tested;
use crate::call::*;
use crate::script::*;

type Answer = Result<Receipt, Failure>;

/// A call with a body that pays and then fails.
async fn fail(store: &Tested, ledger: &Ledger, failure: fn(u32) -> Failure) -> Answer {
    let body = async { Err(failure(ledger.enter().number)) };
    pay(store, "1").run_as(Outcome::new().classified(), body).await
}

async fn status(store: &Tested) -> Status {
    store.record_of(&pay_key("1")).await.status
}

fn is_final(answer: &Answer, number: u32) {
    assert!(matches!(answer, Err(Failure::Final(told)) if *told == number), "{answer:?}");
}

pub async fn a_terminal_error_is_replayed_and_the_body_does_not_run(store: &Tested) {
    let ledger = Ledger::new();
    for _ in 0..3 {
        is_final(&fail(store, &ledger, Failure::Final).await, 1);
    }
    is_final(&fail(&store.reopen().await, &ledger, Failure::Final).await, 1);
    assert_eq!(status(store).await, Status::Failed);
}

pub async fn a_terminal_error_makes_one_claim_and_one_write(store: &Tested) {
    let counting = Counting::new(store);
    for expected in [(1, 1, 0), (1, 0, 0)] {
        let call = pay_at(counting.handle(store), "1");
        let answer: Answer = call.run_as(Outcome::new().classified(), async { Err(Failure::Final(7)) }).await;
        is_final(&answer, 7);
        assert_eq!(counting.calls(), expected);
    }
}

pub async fn a_terminal_error_is_replayed_as_long_as_an_outcome(store: &Tested) {
    let ledger = Ledger::new();
    is_final(&fail(store, &ledger, Failure::Final).await, 1);
    store.advance(TTL);
    is_final(&fail(store, &ledger, Failure::Final).await, 1);
    store.advance(MS);
    is_final(&fail(store, &ledger, Failure::Final).await, 2);
}

pub async fn a_retryable_error_lets_the_next_call_run(store: &Tested) {
    let ledger = Ledger::new();
    for number in 1..4 {
        let answer = fail(store, &ledger, Failure::Declined).await;
        assert!(matches!(answer, Err(Failure::Declined(told)) if told == number), "{answer:?}");
        assert_eq!(status(store).await, Status::Released);
    }
}

pub async fn a_retryable_error_after_an_announcement_lets_the_next_call_run(store: &Tested) {
    let ledger = Ledger::new();
    let body = ledger.announce::<Receipt>(Err(Failure::Declined(0)));
    let answer = pay(store, "1").run_as(Outcome::new().classified(), body).await;
    assert!(matches!(answer, Err(Failure::Declined(0))), "{answer:?}");
    assert_eq!(value_of(pay(store, "1").run(ledger.pay()).await), Receipt { number: 2 });
}

pub async fn an_error_that_does_not_know_holds_the_key(store: &Tested) {
    let ledger = Ledger::new();
    let answer = fail(store, &ledger, |_| Failure::TimedOut).await;
    assert!(matches!(answer, Err(Failure::TimedOut)), "{answer:?}");
    assert_eq!(status(store).await, Status::Unknown);
    for _ in 0..3 {
        let told = refusal(pay(store, "1").run(ledger.pay()).await);
        assert_eq!((told.kind(), told.since()), (ErrorKind::Unknown, Some(START)));
        store.advance(TTL);
    }
    assert_eq!(ledger.payments(), 1);
}

pub async fn an_unknown_outcome_inside_a_body_makes_its_own_unknown(store: &Tested) {
    let ledger = Ledger::new();
    let inner = store.acquire(request(ANN, START).of(&pay_key("inner"))).await;
    store.apply(inner.mark_unknown(START)).await;
    let body = async { pay(store, "inner").run(ledger.pay()).await };
    let answer = pay(store, "1").run_as(Outcome::new().classified(), body).await;
    assert_refused(answer, ErrorKind::Unknown);
    assert_eq!(status(store).await, Status::Unknown);
}

pub async fn a_refused_call_inside_a_body_lets_the_next_call_run(store: &Tested) {
    let ledger = Ledger::new();
    store.acquire(request(ANN, START).of(&pay_key("inner"))).await;
    let body = async { pay(store, "inner").run(ledger.pay()).await };
    let answer = pay(store, "1").run_as(Outcome::new().classified(), body).await;
    assert_refused(answer, ErrorKind::InProgress);
    assert_eq!(status(store).await, Status::Released);
}

/// Errors that are for good, and are not recorded.
#[derive(Debug)]
enum Quiet {
    No,
    Refused(Error),
}

impl From<Error> for Quiet {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl Classify for Quiet {
    const TERMINAL: TerminalErrors<Self> = TerminalErrors::not_recorded();

    fn class(&self) -> ErrorClass {
        ErrorClass::Terminal
    }
}

pub async fn a_terminal_error_that_is_not_recorded_does_not_run_again(store: &Tested) {
    let ledger = Ledger::new();
    let call = async || {
        let body = async { Err(ledger.enter()).map_err(|_| Quiet::No) };
        pay(store, "1").run_as(Outcome::<Receipt, _>::new().classified(), body).await
    };
    assert!(matches!(call().await, Err(Quiet::No)));
    for _ in 0..2 {
        let again = call().await;
        let Err(Quiet::Refused(told)) = again else { panic!("{again:?}") };
        assert_eq!(told.kind(), ErrorKind::ValueNotKept);
    }
    assert_eq!(ledger.payments(), 1);
    let record = store.record_of(&pay_key("1")).await;
    assert_eq!((record.status, record.value), (Status::Failed, Some(RecordedValue::new(1, None))));
}

pub async fn a_recorded_error_that_is_not_read_any_more_does_not_run_again(store: &Tested) {
    let ledger = Ledger::new();
    is_final(&fail(store, &ledger, Failure::Final).await, 1);
    assert_refused(pay(store, "1").run(ledger.pay()).await, ErrorKind::Codec);
    assert_eq!(ledger.payments(), 1);
}
