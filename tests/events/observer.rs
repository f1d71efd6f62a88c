//! What the observer of a handle is told.

use std::future::pending;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use idempotency::{
    Classify, Completed, Completion, Epoch, Error, ErrorClass, ErrorKind, Evict, IdempotencyKey, InProgress,
    Mode, OnExpired, OnStoreError, Outcome, Reconciled, StoreErrorKind, TerminalErrors, effect_begins,
};
use serde::{Deserialize, Serialize};

use crate::faulty::Fault;
use crate::{TTL, World};

/// An error of every class.
#[derive(Debug, Serialize, Deserialize)]
enum Failure {
    Declined,
    TimedOut,
    #[serde(skip)]
    Idempotency(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Idempotency(error)
    }
}

impl Classify for Failure {
    const TERMINAL: TerminalErrors<Self> = TerminalErrors::recorded();

    fn class(&self) -> ErrorClass {
        match self {
            Self::Declined => ErrorClass::Terminal,
            Self::TimedOut => ErrorClass::Unknown,
            Self::Idempotency(error) => error.class(),
        }
    }
}

fn outcome() -> Outcome<u32, Failure> {
    Outcome::new().classified()
}

fn key() -> IdempotencyKey {
    IdempotencyKey::from_stored("pay:A-1")
}

#[allow(clippy::unused_async, reason = "a body is async")]
async fn paid() -> Result<u32, Error> {
    Ok(1)
}

/// Polls `call` once and drops it.
fn drop_at_once(call: impl Future) {
    let mut call = Box::pin(call);
    assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
}

#[tokio::test]
async fn a_first_call_is_claimed_and_completed_and_a_duplicate_replayed() {
    let world = World::new();
    world.pay().run(paid()).await.unwrap();
    assert_eq!(world.told.decisions(), ["claimed", "completed"]);
    world.pay().run(paid()).await.unwrap();
    assert_eq!(world.told.decisions(), ["replayed"]);
    world.pay().completed(Completed::Reject).run(paid()).await.unwrap_err();
    assert_eq!(world.told.decisions(), ["already_completed"]);
    world.pay().validate(&1).run(paid()).await.unwrap();
    assert_eq!(world.told.decisions(), ["replayed"]);
}

#[tokio::test]
async fn another_request_is_a_mismatch() {
    let world = World::new();
    world.pay().validate(&1).run(paid()).await.unwrap();
    world.told.decisions();
    world.pay().validate(&2).run(paid()).await.unwrap_err();
    assert_eq!(world.told.decisions(), ["mismatch"]);
}

#[tokio::test]
async fn what_becomes_of_a_failed_body_is_told() {
    let world = World::new();
    let error = outside_of_a_body();
    world.pay().run(async { Err::<u32, _>(error) }).await.unwrap_err();
    assert_eq!(world.told.decisions(), ["claimed", "released"]);
    world.pay().run_as(outcome(), async { Err(Failure::Declined) }).await.unwrap_err();
    assert_eq!(world.told.decisions(), ["claimed", "failed"]);
    world.pay().run_as(outcome(), async { Ok(1) }).await.unwrap_err();
    assert_eq!(world.told.decisions(), ["replayed"]);
}

#[tokio::test]
async fn an_unknown_outcome_is_told_until_it_is_found_out() {
    let world = World::new();
    let timed_out = world.pay().run_as(outcome(), async {
        effect_begins().await?;
        Err(Failure::TimedOut)
    });
    timed_out.await.unwrap_err();
    assert_eq!(world.told.decisions(), ["claimed", "announced", "unknown"]);
    world.pay().run_as(outcome(), async { Ok(1) }).await.unwrap_err();
    assert_eq!(world.told.decisions(), ["unknown"]);
    world.lease_is_over();
    let probe = |_| async { Ok(Reconciled::Applied(7)) };
    let found = world.pay().run_reconciled(outcome(), probe, async { Ok(1) }).await.unwrap();
    assert_eq!(found, 7);
    assert_eq!(world.told.decisions(), ["reconciled"]);
}

#[tokio::test]
async fn a_dropped_call_and_its_takeover_are_told() {
    let world = World::new();
    drop_at_once(world.pay().run(pending::<Result<u32, Error>>()));
    assert_eq!(world.told.decisions(), ["claimed", "dropped"]);
    world.pay().run(paid()).await.unwrap_err();
    assert_eq!(world.told.decisions(), ["in_progress"]);
    world.lease_is_over();
    world.pay().run(paid()).await.unwrap();
    assert_eq!(world.told.decisions(), ["taken_over", "completed"]);
}

#[tokio::test]
async fn a_late_retry_is_told_to_be_expired() {
    let world = World::new();
    let pay = || world.pay().on_expired(OnExpired::Reject).tombstone(TTL);
    pay().run(paid()).await.unwrap();
    world.clock.advance(TTL + Duration::from_millis(1));
    world.told.decisions();
    let error = pay().run(paid()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Expired);
    assert_eq!(world.told.decisions(), ["expired"]);
}

#[tokio::test]
async fn failures_of_the_store_are_told_and_what_runs_nevertheless() {
    let world = World::new();
    world.faulty.on_claims([Fault::Refused(StoreErrorKind::Throttled)]);
    world.pay().run(paid()).await.unwrap_err();
    assert_eq!(world.told.decisions(), ["store_failed"]);
    world.faulty.on_claims([Fault::Refused(StoreErrorKind::Throttled)]);
    world.pay().on_store_error(OnStoreError::Run).run(paid()).await.unwrap();
    assert_eq!(world.told.decisions(), ["store_failed", "ran_unprotected"]);
}

#[tokio::test]
async fn renewals_and_lost_leases_are_told() {
    let world = World::new();
    let call = tokio::spawn(world.pay().run(pending::<Result<u32, Error>>()));
    let settled = async || {
        while world.clock.sleepers() == 0 && !call.is_finished() {
            tokio::task::yield_now().await;
        }
    };
    settled().await;
    world.clock.advance(Duration::from_secs(10));
    settled().await;
    assert_eq!(world.told.decisions(), ["claimed", "renewed"]);
    assert!(world.store.evict(Evict::new(key(), epoch(&world).await)).await.unwrap());
    world.clock.advance(Duration::from_secs(10));
    call.await.unwrap().unwrap_err();
    assert_eq!(world.told.decisions(), ["evicted", "lease_lost"]);
}

async fn epoch(world: &World) -> Epoch {
    world.store.inspect(&key()).await.unwrap().unwrap().epoch
}

#[tokio::test]
async fn a_late_outcome_is_told_to_be_fenced() {
    let world = World::new();
    let late = world.pay().run(async {
        world.store.evict(Evict::new(key(), epoch(&world).await)).await.unwrap();
        Ok::<_, Error>(1)
    });
    let error = late.await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LeaseLost);
    assert_eq!(world.told.decisions(), ["claimed", "evicted", "fenced", "refused"]);
}

#[tokio::test]
async fn a_value_that_does_not_come_back_and_a_panic_are_told() {
    let world = World::new();
    world.pay().run(async { Ok::<_, Error>(Some(None::<u8>)) }).await.unwrap();
    assert_eq!(world.told.decisions(), ["claimed", "not_kept"]);
    let world = World::new();
    let call = tokio::spawn(world.pay().run(async {
        assert_eq!(1, 2, "the body panics");
        Ok::<_, Error>(1)
    }));
    assert!(call.await.unwrap_err().is_panic());
    assert_eq!(world.told.decisions(), ["claimed", "panicked"]);
}

#[tokio::test]
async fn whoever_waits_tells_so() {
    let world = World::new();
    let call = tokio::spawn(world.pay().run(pending::<Result<u32, Error>>()));
    while world.clock.sleepers() == 0 {
        tokio::task::yield_now().await;
    }
    world.told.decisions();
    let wait = InProgress::Wait(Duration::from_millis(1));
    let waiting = tokio::spawn(world.pay().in_progress(wait).run(paid()));
    while !waiting.is_finished() {
        world.clock.advance(Duration::from_millis(1));
        tokio::task::yield_now().await;
    }
    waiting.await.unwrap().unwrap_err();
    assert_eq!(world.told.decisions(), ["waited", "in_progress"]);
    call.abort();
}

#[tokio::test]
async fn observing_and_refusing_are_told() {
    let world = World::new();
    for _ in 0..2 {
        world.pay().mode(Mode::Observe).run(paid()).await.unwrap();
    }
    assert_eq!(world.told.decisions(), ["observed", "observed"]);
    let error = world.pay().ttl(Duration::ZERO).run(paid()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Misconfigured);
    assert_eq!(world.told.decisions(), ["pay - refused"]);
}

#[tokio::test]
async fn a_disabled_handle_says_that_it_does_not_protect() {
    let world = World::new();
    let store = world.store.clone().disabled();
    for _ in 0..2 {
        world.pay().store(&store).run(paid()).await.unwrap();
    }
    assert_eq!(world.told.decisions(), ["ran_unprotected", "ran_unprotected"]);
    assert_eq!(world.faulty.counts().claims, 0);
}

#[tokio::test]
async fn what_a_person_does_is_told() {
    let world = World::new();
    drop_at_once(world.pay().run(pending::<Result<u32, Error>>()));
    let released = world.store.release(&key(), epoch(&world).await).await.unwrap();
    assert_eq!(released, idempotency::ByHand::Done);
    let marked = world.store.mark_completed(&key(), Completion::new(&7, TTL).unwrap()).await.unwrap();
    assert_eq!(marked, idempotency::ByHand::Done);
    assert_eq!(world.told.decisions(), ["claimed", "dropped", "released_by_hand", "marked_completed"]);
    assert_eq!(world.pay().run(paid()).await.unwrap(), 7);
}

/// An error that a body may return, of this crate's own type.
fn outside_of_a_body() -> Error {
    let mut call = Box::pin(effect_begins());
    match call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(Err(error)) => error,
        other => panic!("outside of a body it is an error: {other:?}"),
    }
}
