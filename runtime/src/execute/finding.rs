//! Finding out what became of an unknown outcome.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use super::driver::{Closed, Driver, Opening};
use super::{Plan, limit, refuse};
use crate::error::ErrorKind;
use crate::event::Decision;
use crate::outcome::Outcome;
use crate::probe::{Probe, Reconciled, UnknownOutcome};
use crate::protocol::attempt::{Event, Finding, Verdict};
use crate::record::RecordedValue;
use crate::report::Disposition;
use crate::scope;
use crate::time::Timestamp;

/// What it leads to.
pub(super) enum Found<T, E> {
    /// The call is answered.
    Settled(Result<T, E>),
    /// The effect did not happen: the key is free again.
    NotApplied,
}

/// What a sweep has found out about one record.
#[derive(Clone, Copy)]
pub(crate) enum Swept {
    Applied,
    NotApplied,
    StillUnknown,
    Failed,
    Error,
}

/// The result of `future`, or what it panicked with.
async fn caught<R>(future: impl Future<Output = R>) -> Result<R, Box<dyn Any + Send>> {
    let mut future = pin!(future);
    poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(polled) => polled.map(Ok),
        Err(payload) => Poll::Ready(Err(payload)),
    })
    .await
}

/// Finds out about one record, without a body.
pub(crate) async fn sweep_one<T, E, P: Probe<T, E>>(
    plan: Box<Plan>,
    outcome: &Outcome<T, E>,
    probe: &P,
) -> Swept {
    let mut driver = Driver::new(plan, None, true);
    match driver.open().await {
        Opening::Probe { within, unknown } => {
            // A probe that panics must not keep the others from being asked.
            let Ok(found) = caught(driver.find_out(probe, unknown, within, outcome)).await else {
                return Swept::Error;
            };
            match found {
                Found::Settled(Ok(_)) => Swept::Applied,
                Found::Settled(Err(_)) if driver.failed_for_good => Swept::Failed,
                Found::Settled(Err(_)) if driver.gave_up => Swept::StillUnknown,
                Found::Settled(Err(_)) => Swept::Error,
                Found::NotApplied => Swept::NotApplied,
            }
        }
        Opening::Run => {
            // It was settled since it was listed, and nobody runs a body here.
            let _ = driver.close(Verdict::Retryable, None).await;
            Swept::StillUnknown
        }
        Opening::Replay(_) | Opening::Refuse(_) | Opening::Unprotected(_) => Swept::StillUnknown,
    }
}

impl Driver {
    /// Asks the operation's probe, for no longer than the right to ask can be trusted.
    pub(super) async fn find_out<T, E, P: Probe<T, E>>(
        &mut self,
        probe: &P,
        unknown: UnknownOutcome,
        within: Duration,
        outcome: &Outcome<T, E>,
    ) -> Found<T, E> {
        let since = unknown.since;
        let asked = {
            let store = &self.plan.store;
            let asking = scope::unrecorded(store.place(), &self.plan.key, probe.ask(unknown));
            limit::or_after(store.clock().sleep(within), caught(asking)).await
        };
        let asked = match asked.transpose() {
            Ok(asked) => asked,
            Err(payload) => {
                self.give_up();
                self.plan.tell(Decision::Unknown { since });
                resume_unwind(payload)
            }
        };
        match asked {
            Some(Ok(Reconciled::Applied(value))) => Found::Settled(self.applied(value, outcome).await),
            Some(Ok(Reconciled::NotApplied)) => match self.settle(Finding::NotApplied, None).await {
                Closed::Own(_) => {
                    self.plan.tell(Decision::Reconciled { applied: false, by_hand: false });
                    Found::NotApplied
                }
                closed => Found::Settled(self.not_settled(closed, outcome)),
            },
            Some(Err(error)) => Found::Settled(self.probe_failed(error, since, outcome).await),
            Some(Ok(Reconciled::StillUnknown)) | None => {
                self.gave_up = true;
                let until = self.attempt.held().map(|held| held.lease_until.plus(self.plan.effect_timeout));
                self.give_up();
                let detail = "nobody knows yet whether the effect of an earlier attempt happened: the operation's \
                              `reconcile` could not find out";
                let error = self.plan.error(ErrorKind::Unknown, detail).with_since(since);
                let error = match until {
                    // Nobody else may ask sooner.
                    Some(until) => error.with_until(until).with_retry_after(self.pause_until_free(until)),
                    None => error,
                };
                Found::Settled(Err(refuse(&self.plan, error, outcome)))
            }
        }
    }

    /// A terminal error is what the attempt has failed with; after any other the outcome stays unknown.
    async fn probe_failed<T, E>(
        &mut self,
        error: E,
        since: Timestamp,
        outcome: &Outcome<T, E>,
    ) -> Result<T, E> {
        let (verdict, value) = self.verdict(&error, outcome);
        let finding = match verdict {
            Verdict::Failed => Finding::Failed,
            Verdict::FailedNotKept => Finding::FailedNotKept,
            _ => {
                self.give_up();
                self.plan.tell(Decision::Unknown { since });
                self.report(Disposition::Unknown);
                return Err(error);
            }
        };
        match self.settle(finding, value).await {
            Closed::Own(_) => {
                self.failed_for_good = true;
                self.plan.tell(Decision::Reconciled { applied: true, by_hand: false });
                self.report(Disposition::Reconciled);
                Err(error)
            }
            closed => self.not_settled(closed, outcome),
        }
    }

    async fn applied<T, E>(&mut self, value: T, outcome: &Outcome<T, E>) -> Result<T, E> {
        let prepared = self.prepare(value, outcome);
        let finding = if prepared.kept { Finding::Applied } else { Finding::AppliedNotKept };
        match self.settle(finding, Some(prepared.recorded())).await {
            Closed::Own(_) => {
                self.plan.tell(Decision::Reconciled { applied: true, by_hand: false });
                self.report(Disposition::Reconciled);
                // The caller is a duplicate of the attempt that had the effect.
                let replayed = prepared.encoded.filter(|_| prepared.kept);
                let replayed = replayed.and_then(|bytes| outcome.replay(outcome.own_version(), &bytes).ok());
                Ok(replayed.unwrap_or(prepared.value))
            }
            closed => self.not_settled(closed, outcome),
        }
    }

    /// What was found was not recorded.
    fn not_settled<T, E>(&self, closed: Closed, outcome: &Outcome<T, E>) -> Result<T, E> {
        let error = match closed {
            Closed::Another(record) => return self.replay(&record, outcome),
            Closed::Unsaved(cause) => {
                let detail =
                    "it was found out what became of an earlier attempt, but it could not be recorded";
                let error = self.plan.error(ErrorKind::Unknown, detail);
                let error = error.with_retry_after(self.plan.lease.saturating_add(self.plan.effect_timeout));
                match cause {
                    Some(cause) => error.with_store_source(cause),
                    None => error,
                }
            }
            Closed::Own(_) | Closed::Lost => {
                let detail = "somebody else has found out what became of an earlier attempt, or is doing so";
                self.plan.error(ErrorKind::Unknown, detail).with_retry_after(Duration::from_millis(1))
            }
        };
        Err(refuse(&self.plan, error, outcome))
    }

    /// Writes what was found.
    async fn settle(&mut self, finding: Finding, value: Option<RecordedValue>) -> Closed {
        let at = self.look_at_clocks();
        let action = self.step(Event::Probed(at, finding));
        self.finish(action, value).await
    }

    fn give_up(&mut self) {
        let at = self.look_at_clocks();
        let _ = self.step(Event::Probed(at, Finding::StillUnknown));
    }
}
