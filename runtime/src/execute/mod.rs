//! The executor: performs what [`protocol::attempt`](crate::protocol::attempt) says, over a store and a body.

mod closing;
mod driver;
mod failing;
mod finding;
mod limit;
mod observe;
mod refusal;
mod replaying;
mod succeeding;
mod within;
mod writing;

use std::borrow::Cow;
use std::panic::resume_unwind;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use self::driver::{Driver, Ended, Opening};
use self::finding::Found;
pub(crate) use self::finding::{Swept, sweep_one};
pub(crate) use self::observe::observe;
use crate::any_store::AnyStore;
use crate::claim::{Claim, ClaimRequest, OnExpired};
use crate::error::{Error, ErrorKind};
use crate::event::Decision;
use crate::fingerprint::Fingerprint;
use crate::flight::{self, Landing, Leader, Seat};
use crate::key::IdempotencyKey;
use crate::observe::emit;
use crate::outcome::Outcome;
use crate::owner::OwnerToken;
use crate::policy::{Completed, OnStoreError};
use crate::probe::Probe;
use crate::protocol;
use crate::record::{OnCrash, Record};
use crate::report::{Disposition, Report};
use crate::scope;
use crate::time::Timestamp;

/// A call whose settings have been checked.
pub(crate) struct Plan {
    pub(crate) name: Cow<'static, str>,
    pub(crate) key: IdempotencyKey,
    pub(crate) fingerprint: Option<Fingerprint>,
    pub(crate) ttl: Duration,
    pub(crate) tombstone: Duration,
    pub(crate) lease: Duration,
    pub(crate) deadline: Option<Timestamp>,
    pub(crate) wait: Option<Duration>,
    pub(crate) completed: Completed,
    pub(crate) on_crash: OnCrash,
    pub(crate) on_expired: OnExpired,
    pub(crate) effect_timeout: Duration,
    pub(crate) on_store_error: OnStoreError,
    pub(crate) store: AnyStore,
    /// A field that is compared and looks as if it changed with every request.
    pub(crate) volatile: Option<&'static str>,
}

impl Plan {
    fn error(&self, kind: ErrorKind, detail: impl Into<Cow<'static, str>>) -> Error {
        Error::new(kind, self.name.clone(), detail).with_key(&self.key)
    }

    fn report(&self, disposition: Disposition) -> Report {
        Report::new(self.name.clone(), Some(self.key.clone()), disposition)
    }

    fn tell(&self, decision: Decision<'_>) {
        emit(Some(&self.store), &self.name, Some(&self.key), decision);
    }

    /// A claim on the key.
    fn claim(&self, owner: OwnerToken, now: Timestamp, lease_until: Timestamp) -> ClaimRequest {
        let mut request = ClaimRequest::new(self.key.clone(), owner, now, lease_until, self.ttl);
        request.fingerprint = self.fingerprint;
        request.skew_budget = self.store.skew_budget();
        request.on_crash = self.on_crash;
        request.on_expired = self.on_expired;
        request.effect_timeout = self.effect_timeout;
        request
    }

    /// Nothing may wait for itself.
    pub(crate) fn refuse_reentry(&self) -> Result<(), Error> {
        if scope::is_held(self.store.place(), &self.key) {
            let detail = "the body called its own operation with its own key, and would wait for itself";
            return Err(self.error(ErrorKind::Reentered, detail));
        }
        Ok(())
    }
}

/// Tells whoever listens that a call was refused, and why.
pub(crate) fn refused(store: Option<&AnyStore>, error: &Error) {
    let since = error.since().unwrap_or_default();
    let decision = match (error.kind(), error.store_error()) {
        (ErrorKind::InProgress, _) => {
            Decision::InProgress { since, until: error.until().unwrap_or_default() }
        }
        (ErrorKind::Mismatch, _) => Decision::Mismatch { since },
        (ErrorKind::AlreadyCompleted, _) => Decision::AlreadyCompleted,
        (ErrorKind::Unknown, _) => Decision::Unknown { since },
        (ErrorKind::Expired, _) => Decision::Expired { since },
        // What came of the last write has been told.
        _ if error.outcome_is_unsaved() => Decision::Refused { kind: error.kind() },
        (ErrorKind::LeaseLost, _) => Decision::LeaseLost,
        (ErrorKind::Store | ErrorKind::Corrupt, Some(error)) => Decision::StoreFailed { error },
        (kind, _) => Decision::Refused { kind },
    };
    emit(store, error.operation(), error.key(), decision);
    scope::report(|| {
        let operation = Cow::Owned(error.operation().to_owned());
        Report::new(operation, error.key().cloned(), Disposition::Refused(error.kind()))
    });
}

/// Runs `body` under a claim, or answers from the record.
pub(crate) async fn protect<T, E, F, P>(
    mut plan: Box<Plan>,
    outcome: Outcome<T, E>,
    probe: P,
    body: F,
) -> Result<T, E>
where
    F: Future<Output = Result<T, E>>,
    P: Probe<T, E>,
{
    let body = pin!(body);
    if let Err(error) = plan.refuse_reentry() {
        return Err(refuse(&plan, error, &outcome));
    }
    if let Some(transaction) = plan.store.transaction().cloned() {
        // Boxed: it would make the future of every call larger.
        return Box::pin(within::within(plan, transaction, &outcome, body)).await;
    }
    if let Some(record) = cached(&plan) {
        return Driver::new(plan, None, false).replay(&record, &outcome);
    }
    let leader = match board(&mut plan).await {
        Boarded::Alone(leader) => leader,
        Boarded::Landed(record) => {
            return Driver::new(plan, None, P::EXISTS).replay(&record, &outcome);
        }
    };
    let mut driver = Driver::new(plan, leader, P::EXISTS);
    loop {
        match driver.open().await {
            Opening::Run => break,
            Opening::Replay(record) => return driver.replay(&record, &outcome),
            Opening::Refuse(error) => return Err(refuse(&driver.plan, error, &outcome)),
            Opening::Unprotected(error) => {
                driver.plan.tell(Decision::StoreFailed { error: &error });
                return unprotected(&driver.plan, body).await;
            }
            Opening::Probe { within, unknown } => {
                match driver.find_out(&probe, unknown, within, &outcome).await {
                    Found::Settled(result) => return result,
                    Found::NotApplied => driver.begin_again(),
                }
            }
        }
    }
    match driver.run(body).await {
        Ended::Returned(Ok(value)) => driver.succeed(value, &outcome).await,
        Ended::Returned(Err(error)) => driver.fail(error, &outcome).await,
        Ended::Panicked(payload) => {
            driver.panicked().await;
            resume_unwind(payload)
        }
        Ended::Stopped(why) => {
            let error = driver.stopped(why);
            Err(refuse(&driver.plan, error, &outcome))
        }
    }
}

/// A final outcome that this process has kept, if the store would answer with it now.
fn cached(plan: &Plan) -> Option<Arc<Record>> {
    let record = plan.store.cached(&plan.key)?;
    let now = plan.store.clock().now();
    let nobody = OwnerToken::from_bytes([0; 16]);
    let decision = protocol::claim(Some(&record), &plan.claim(nobody, now, now));
    matches!(decision.answer, Claim::Final(_)).then_some(record)
}

/// Runs `body` with nothing recorded about it.
pub(crate) async fn unprotected<R>(plan: &Plan, body: impl Future<Output = R>) -> R {
    plan.tell(Decision::RanUnprotected);
    let result = scope::unrecorded(plan.store.place(), &plan.key, body).await;
    scope::report(|| plan.report(Disposition::Unprotected));
    result
}

fn refuse<T, E>(plan: &Plan, error: Error, outcome: &Outcome<T, E>) -> E {
    refused(Some(&plan.store), &error);
    outcome.error(error)
}

/// How a call that waits goes to the store.
enum Boarded {
    /// By itself; other callers of this process may follow it.
    Alone(Option<Leader>),
    /// Not at all: the caller that it followed has the outcome.
    Landed(Arc<Record>),
}

/// Takes a seat in a flight, if the call waits for others, and follows its leader; what that took is no longer there
/// for other waiting.
async fn board(plan: &mut Plan) -> Boarded {
    let Some(wait) = plan.wait else { return Boarded::Alone(None) };
    let request = flight::Request {
        place: plan.store.place(),
        key: plan.key.clone(),
        fingerprint: plan.fingerprint.map(|fingerprint| fingerprint.to_bytes()),
    };
    let follower = match flight::board(request) {
        Seat::Leader(leader) => return Boarded::Alone(Some(leader)),
        Seat::Follower(follower) => follower,
    };
    let clock = plan.store.clock();
    let began = clock.monotonic();
    let landing = limit::or_after(clock.sleep(wait), follower.landing()).await;
    let waited = clock.monotonic().saturating_sub(began);
    plan.wait = Some(wait.saturating_sub(waited));
    plan.tell(Decision::Waited);
    match landing {
        Some(Landing::Outcome(record)) => Boarded::Landed(record),
        // By itself: a queue of leaders would let the last of many callers wait for all others.
        Some(Landing::Nothing) | None => Boarded::Alone(None),
    }
}
