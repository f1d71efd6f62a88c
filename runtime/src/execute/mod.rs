//! The executor: performs what [`protocol::attempt`](crate::protocol::attempt) says, over a store and a body.

mod closing;
mod driver;
mod observe;
mod refusal;

use std::borrow::Cow;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use self::driver::{Closed, Driver, Ended, Opening};
pub(crate) use self::observe::observe;
use crate::any_store::AnyStore;
use crate::error::{Error, ErrorKind};
use crate::fingerprint::Fingerprint;
use crate::key::IdempotencyKey;
use crate::observe as events;
use crate::outcome::{Carried, Outcome};
use crate::policy::Completed;
use crate::protocol::attempt::Verdict;
use crate::record::{Record, RecordedValue};
use crate::report::{Disposition, Report};
use crate::scope;
use crate::store_error::{StoreError, StoreErrorKind};
use crate::time::Timestamp;

/// The version of a result type that declares none.
const FIRST_VERSION: u32 = 1;

/// A call whose settings have been checked.
pub(crate) struct Plan {
    pub(crate) name: Cow<'static, str>,
    pub(crate) key: IdempotencyKey,
    pub(crate) fingerprint: Option<Fingerprint>,
    pub(crate) ttl: Duration,
    pub(crate) lease: Duration,
    pub(crate) deadline: Option<Timestamp>,
    pub(crate) wait: Option<Duration>,
    pub(crate) completed: Completed,
    pub(crate) store: AnyStore,
    /// A field that is compared and looks as if it changed with every request.
    pub(crate) volatile: Option<&'static str>,
}

impl Plan {
    fn error(&self, kind: ErrorKind, detail: impl Into<Cow<'static, str>>) -> Error {
        Error::new(kind, self.name.clone(), detail).with_key(&self.key)
    }

    /// The answer of the store, or an error if there is none within one lease.
    async fn bounded<T>(&self, call: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let mut call = pin!(call);
        let mut limit = None;
        poll_fn(|cx| {
            if let Poll::Ready(answer) = call.as_mut().poll(cx) {
                return Poll::Ready(answer);
            }
            let limit = limit.get_or_insert_with(|| self.store.clock().limit(self.lease));
            limit.as_mut().poll(cx).map(|()| {
                let message = format!("the store {} did not answer within the lease", self.store.identity());
                Err(StoreError::new(StoreErrorKind::Unavailable, message))
            })
        })
        .await
    }

    fn report(&self, disposition: Disposition) -> Report {
        Report::new(self.name.clone(), Some(self.key.clone()), disposition)
    }
}

/// Tells whoever listens that a call was refused.
pub(crate) fn refused(error: &Error) {
    events::refused(error);
    scope::report(|| {
        let operation = Cow::Owned(error.operation().to_owned());
        Report::new(operation, error.key().cloned(), Disposition::Refused(error.kind()))
    });
}

/// Runs `body` under a claim, or answers from the record.
pub(crate) async fn protect<T, E, F>(plan: Plan, outcome: Outcome<T, E>, body: F) -> Result<T, E>
where
    F: Future<Output = Result<T, E>>,
{
    let body = pin!(body);
    let mut driver = Driver::new(plan);
    match driver.open().await {
        Opening::Run => {}
        Opening::Replay(record) => return driver.replay(&record, &outcome),
        Opening::Refuse(error) => return Err(refuse(error, &outcome)),
    }
    match driver.run(body).await {
        Ended::Returned(Ok(value)) => driver.succeed(value, &outcome).await,
        Ended::Returned(Err(error)) => match driver.close(Verdict::Retryable, None).await {
            Closed::Another(record) => driver.replay(&record, &outcome),
            closed => {
                driver.released(&closed);
                Err(error)
            }
        },
        Ended::Panicked(payload) => {
            driver.panicked().await;
            resume_unwind(payload)
        }
        Ended::Stopped(why) => {
            let error = driver.stopped(why);
            Err(refuse(error, &outcome))
        }
    }
}

fn refuse<T, E>(error: Error, outcome: &Outcome<T, E>) -> E {
    refused(&error);
    outcome.error(error)
}

impl Driver {
    /// The recorded outcome, for a duplicate.
    fn replay<T, E>(&self, record: &Record, outcome: &Outcome<T, E>) -> Result<T, E> {
        match self.recorded(record, outcome) {
            Ok(value) => {
                events::replayed(&self.plan.name, &self.plan.key);
                scope::report(|| Report {
                    attempt: Some(record.attempt),
                    epoch: Some(record.epoch),
                    completed_at: record.completed_at,
                    expires_at: record.expires_at,
                    ..self.plan.report(Disposition::Replayed)
                });
                Ok(value)
            }
            Err(error) => Err(refuse(error, outcome)),
        }
    }

    fn recorded<T, E>(&self, record: &Record, outcome: &Outcome<T, E>) -> Result<T, Error> {
        let since = record.completed_at.unwrap_or(record.claimed_at);
        if self.plan.completed == Completed::Reject {
            let detail = "it is completed already, and this caller asked not to get the outcome again";
            return Err(self.plan.error(ErrorKind::AlreadyCompleted, detail).with_since(since));
        }
        let Some(value) = &record.value else {
            let detail = "the record says completed and holds no value";
            return Err(self.plan.error(ErrorKind::Corrupt, detail).with_since(since));
        };
        let Some(bytes) = &value.bytes else {
            let detail =
                "it is completed, but its value was too large for the store or could not be carried back";
            return Err(self.plan.error(ErrorKind::ValueNotKept, detail).with_since(since));
        };
        if value.version != FIRST_VERSION {
            let detail =
                format!("the recorded value is of version {}, this code reads version 1", value.version);
            return Err(self.plan.error(ErrorKind::Codec, detail).with_since(since));
        }
        outcome.replay(bytes).map_err(|error| {
            let detail = format!(
                "the recorded value of {} bytes cannot be read as this operation's result type ({}); where the type \
                 has changed, give new fields `#[serde(default)]`, or the operation another name",
                bytes.len(),
                cause(&error)
            );
            self.plan.error(ErrorKind::Codec, detail).with_since(since)
        })
    }

    async fn succeed<T, E>(&mut self, value: T, outcome: &Outcome<T, E>) -> Result<T, E> {
        let limit = self.plan.store.capabilities().max_value_bytes;
        let fits = |bytes: &Arc<[u8]>| limit.is_none_or(|limit| bytes.len() <= limit);
        let carried = match catch_unwind(AssertUnwindSafe(|| outcome.carry(value))) {
            Ok(carried) => carried,
            // The effect has happened: a panic of the result's own code must not make it happen again.
            Err(payload) => {
                let nothing = RecordedValue::new(FIRST_VERSION, None);
                let _ = self.close(Verdict::NotKept, Some(nothing)).await;
                resume_unwind(payload)
            }
        };
        let (value, encoded, kept) = match carried {
            Carried::Kept { value, bytes } => {
                let kept = fits(&bytes);
                (value, Some(bytes), kept)
            }
            Carried::NotKept { value, encoded } => (value, encoded, false),
        };
        let verdict = if kept { Verdict::Succeeded } else { Verdict::NotKept };
        let recorded = RecordedValue::new(FIRST_VERSION, encoded.clone().filter(|_| kept));
        let error = match self.close(verdict, Some(recorded)).await {
            Closed::Own(verdict) => {
                self.executed(verdict);
                return Ok(value);
            }
            Closed::Another(record) => return self.replay(&record, outcome),
            Closed::Lost => self.plan.error(
                ErrorKind::LeaseLost,
                "the body succeeded, but another owner had taken over or the record was removed",
            ),
            Closed::Unsaved(cause) => self.unsaved(cause),
        };
        Err(refuse(error.with_unsaved(encoded), outcome))
    }
}

/// What serde found, without the value: of its messages only this one quotes nothing of it.
fn cause(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.split_once(" at line ") {
        Some((message, _)) if message.starts_with("missing field") => message.to_owned(),
        _ => format!("{:?} error at column {}", error.classify(), error.column()),
    }
}
