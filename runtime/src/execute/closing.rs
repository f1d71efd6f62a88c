//! The last write of an attempt and what it means for the caller.

use super::driver::{Closed, Driver};
use crate::event::Decision;
use crate::protocol::attempt::{Action, Answer, Ending, Event, Verdict};
use crate::protocol::{self};
use crate::record::{Record, RecordedValue};
use crate::report::{Disposition, Report};
use crate::scope;
use crate::store_error::StoreError;
use crate::write::{Change, OwnerWrite, Refusal, Written};

impl Driver {
    /// Writes what became of the body, again and again while the lease lasts.
    pub(super) async fn close(&mut self, verdict: Verdict, value: Option<RecordedValue>) -> Closed {
        let ended = Event::Ended(self.look_at_clocks(), verdict);
        let action = self.step(ended);
        self.finish(action, value).await
    }

    /// Does what the machine says until the call is over.
    pub(super) async fn finish(&mut self, mut action: Action, value: Option<RecordedValue>) -> Closed {
        let mut failure = None;
        let mut another = None;
        let mut written = None;
        loop {
            action = match action {
                Action::Renew { lease_until } => {
                    self.start_renewal(lease_until);
                    Action::AwaitWrite
                }
                Action::AwaitWrite => match self.writing.take() {
                    Some(writing) => {
                        let kind = writing.kind();
                        let answer = writing.answer.await;
                        self.written(kind, &answer)
                    }
                    None => Action::Answer(Answer::Lost),
                },
                Action::Finish(ending) => {
                    let change = change(ending, value.as_ref());
                    let Some(request) = self.request(change) else {
                        return Closed::Lost;
                    };
                    let shared = self.leader.is_some() || self.plan.store.has_cache();
                    written = Some((ending, shared.then(|| request.clone())));
                    let writing = self.plan.store.write(request);
                    let answer = self.limit.answer(&self.plan.store, self.plan.lease, writing).await;
                    if answer.is_err() {
                        self.look_at_clocks();
                    }
                    let result = answer.as_ref().map_err(StoreError::kind);
                    let next = self.step(Event::Finished(self.now, result));
                    match answer {
                        Ok(Written::Refused(Refusal::Finished(record))) => another = Some(record),
                        // It was recorded earlier than now; its times are in the store only.
                        Ok(Written::AlreadyDone) => written = Some((ending, None)),
                        Ok(_) => {}
                        Err(error) => {
                            self.plan.tell(Decision::StoreFailed { error: &error });
                            failure = Some(error);
                        }
                    }
                    next
                }
                Action::Pause(pause) => self.pause(pause).await,
                Action::Answer(Answer::Own) => {
                    let Some((ending, request)) = written else { return Closed::Lost };
                    if let Some(request) = request {
                        self.land(&request);
                    }
                    return Closed::Own(ending);
                }
                Action::Answer(answer) => return self.closed(answer, another, failure),
                Action::Claim { .. }
                | Action::Run { .. }
                | Action::Announce
                | Action::Probe { .. }
                | Action::Stop(_) => return Closed::Lost,
            }
        }
    }

    /// Hands an acknowledged outcome to those who follow, and to the cache.
    fn land(&mut self, request: &OwnerWrite) {
        let Some(held) = self.held else { return };
        let lease_until = held.lease_until;
        let mut record =
            Record::claimed(request.key.clone(), request.owner, request.epoch, self.claimed_at, lease_until);
        record.fingerprint = self.plan.fingerprint;
        record.attempt = held.attempt;
        record.on_crash = self.plan.on_crash;
        if request.change.settles_unknown() {
            record.status = crate::record::Status::Unknown;
        }
        if let Some(record) = protocol::write(Some(&record), request).write {
            self.keep(record);
        }
    }

    /// Keeps a final outcome for other callers of this process.
    pub(super) fn keep(&mut self, record: Record) {
        if !record.status.is_final() {
            return;
        }
        self.plan.store.cache(&record, self.generation);
        if let Some(leader) = self.leader.take() {
            leader.land(record);
        }
    }

    fn closed(&self, answer: Answer, another: Option<Box<Record>>, failure: Option<StoreError>) -> Closed {
        match (answer, another) {
            // A takeover may have been made for a corrected request: its outcome is not this caller's.
            (Answer::Another, Some(record)) if record.fingerprint == self.plan.fingerprint => {
                self.plan.tell(Decision::Fenced);
                Closed::Another(record)
            }
            (Answer::Unsaved, _) => Closed::Unsaved(failure),
            _ => {
                self.plan.tell(Decision::Fenced);
                Closed::Lost
            }
        }
    }

    pub(super) fn report(&self, disposition: Disposition) {
        let is_final =
            matches!(disposition, Disposition::Executed | Disposition::NotKept | Disposition::Failed);
        scope::report(|| Report {
            attempt: self.held.map(|held| held.attempt),
            epoch: self.held.map(|held| held.epoch),
            previous: self.held.map(|held| held.previous),
            completed_at: is_final.then_some(self.now.wall),
            expires_at: is_final.then(|| self.now.wall.plus(self.plan.ttl)),
            ..self.plan.report(disposition)
        });
    }
}

fn change(ending: Ending, value: Option<&RecordedValue>) -> Change {
    let with_value = || value.cloned().unwrap_or_else(|| RecordedValue::new(0, None));
    let without = || RecordedValue::new(value.map_or(0, |value| value.version), None);
    match ending {
        Ending::Complete => Change::Complete(with_value()),
        Ending::CompleteNotKept => Change::Complete(without()),
        Ending::Fail => Change::Fail(with_value()),
        Ending::FailNotKept => Change::Fail(without()),
        Ending::Release => Change::Release,
        Ending::MarkUnknown => Change::MarkUnknown,
        Ending::ResolveApplied => Change::ResolveApplied(with_value()),
        Ending::ResolveNotKept => Change::ResolveApplied(without()),
        Ending::ResolveFailed => Change::ResolveFailed(with_value()),
        Ending::ResolveFailedNotKept => Change::ResolveFailed(without()),
        Ending::ResolveNotApplied => Change::ResolveNotApplied,
    }
}
