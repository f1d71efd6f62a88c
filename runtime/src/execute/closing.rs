//! The final write and what it means for the caller.

use super::driver::{Closed, Driver};
use crate::observe as events;
use crate::protocol::attempt::{Action, Answer, Event, Verdict};
use crate::record::{Record, RecordedValue};
use crate::report::{Disposition, Report};
use crate::scope;
use crate::store_error::StoreError;
use crate::write::{Change, Refusal, Written};

impl Driver {
    /// Writes the outcome, again and again while the lease lasts.
    pub(super) async fn close(&mut self, verdict: Verdict, value: Option<RecordedValue>) -> Closed {
        let mut failure = None;
        let mut another = None;
        let mut written = verdict;
        let ended = Event::Ended(self.look_at_clocks(), verdict);
        let mut action = self.step(ended);
        loop {
            action = match action {
                Action::Renew { lease_until } => {
                    self.start_renewal(lease_until);
                    Action::AwaitRenewal
                }
                Action::AwaitRenewal => match self.renewal.take() {
                    Some(renewal) => {
                        let answer = self.plan.bounded(renewal).await;
                        self.renewed(&answer)
                    }
                    None => Action::Answer(Answer::Lost),
                },
                Action::Finish(verdict) => {
                    written = verdict;
                    let change = change(verdict, value.as_ref());
                    let Some(request) = self.request(change) else {
                        return Closed::Lost;
                    };
                    let answer = self.plan.bounded(self.plan.store.write(request)).await;
                    if answer.is_err() {
                        self.look_at_clocks();
                    }
                    let next =
                        self.step(Event::Finished(self.now, answer.as_ref().map_err(StoreError::kind)));
                    match answer {
                        Ok(Written::Refused(Refusal::Finished(record))) => another = Some(record),
                        Ok(_) => {}
                        Err(error) => {
                            events::write_failed(&self.plan.name, &self.plan.key, &error);
                            failure = Some(error);
                        }
                    }
                    next
                }
                Action::Pause(pause) => self.pause(pause).await,
                Action::Answer(Answer::Own) => return Closed::Own(written),
                Action::Answer(answer) => return self.closed(answer, another, failure),
                Action::Claim { .. } | Action::Run { .. } | Action::Stop(_) => return Closed::Lost,
            }
        }
    }

    fn closed(&self, answer: Answer, another: Option<Box<Record>>, failure: Option<StoreError>) -> Closed {
        match (answer, another) {
            // A takeover may have been made for a corrected request: its outcome is not this caller's.
            (Answer::Another, Some(record)) if record.fingerprint == self.plan.fingerprint => {
                events::fenced(&self.plan.name, &self.plan.key);
                Closed::Another(record)
            }
            (Answer::Unsaved, _) => Closed::Unsaved(failure),
            _ => {
                events::fenced(&self.plan.name, &self.plan.key);
                Closed::Lost
            }
        }
    }

    pub(super) fn executed(&mut self, verdict: Verdict) {
        if verdict == Verdict::NotKept {
            events::not_kept(&self.plan.name, &self.plan.key);
            self.report(Disposition::NotKept);
        } else {
            self.report(Disposition::Executed);
        }
    }

    /// The body's error goes to the caller whatever became of the release.
    pub(super) fn released(&self, closed: &Closed) {
        if let Closed::Unsaved(Some(error)) = closed {
            events::write_failed(&self.plan.name, &self.plan.key, error);
        }
        self.report(Disposition::Released);
    }

    /// A panic releases the key at once.
    pub(super) async fn panicked(&mut self) {
        let closed = self.close(Verdict::Panicked, None).await;
        self.released_by_panic(&closed);
    }

    fn released_by_panic(&self, closed: &Closed) {
        if let Closed::Unsaved(Some(error)) = closed {
            events::write_failed(&self.plan.name, &self.plan.key, error);
        }
        self.report(Disposition::Panicked);
    }

    fn report(&self, disposition: Disposition) {
        events::ended(&self.plan.name, &self.plan.key, disposition);
        scope::report(|| Report {
            attempt: self.held.map(|held| held.attempt),
            epoch: self.held.map(|held| held.epoch),
            previous: self.held.map(|held| held.previous),
            ..self.plan.report(disposition)
        });
    }
}

fn change(verdict: Verdict, value: Option<&RecordedValue>) -> Change {
    match (verdict, value) {
        (Verdict::Succeeded, Some(value)) => Change::Complete(value.clone()),
        (Verdict::NotKept, Some(value)) => Change::Complete(RecordedValue::new(value.version, None)),
        _ => Change::Release,
    }
}
