//! What an owner's write does.

use super::claim::retention;
use crate::record::{Record, RecordedValue, Status};
use crate::write::{Change, OwnerWrite, Refusal, Written};

/// What an owner's write does to the record, and what the owner is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteDecision {
    /// The record to store instead of the one found; `None`: nothing is written.
    pub write: Option<Record>,
    /// The answer.
    pub answer: Written,
}

/// Decides an owner's write on the record found under its key.
///
/// The write applies if owner and epoch are the record's and it is in progress (or *unknown*, for who has found out
/// what became of it); the lease may be past, for then nobody has taken over. A renewal must also be later than the stored lease: a late one changes nothing, and
/// the owner is told the lease it has.
pub fn write(found: Option<&Record>, request: &OwnerWrite) -> WriteDecision {
    let Some(record) = found else {
        return answer(Written::Refused(Refusal::Gone));
    };
    let mine = record.owner == request.owner && record.epoch == request.epoch;
    let needed = if request.change.settles_unknown() { Status::Unknown } else { Status::InProgress };
    if mine && record.status == needed {
        if request.change == Change::ReleaseByHand && record.holds_after_crash() {
            return answer(Written::Refused(Refusal::TakenOver));
        }
        return apply(record, request);
    }
    if mine && is_done(record, &request.change) {
        return answer(Written::AlreadyDone);
    }
    if record.status.is_final() {
        return answer(Written::Refused(Refusal::Finished(Box::new(record.clone()))));
    }
    answer(Written::Refused(Refusal::TakenOver))
}

fn apply(record: &Record, request: &OwnerWrite) -> WriteDecision {
    let mut next = record.clone();
    match &request.change {
        Change::Renew { lease_until } if *lease_until <= record.lease_until => {
            return answer(Written::Applied { lease_until: record.lease_until });
        }
        Change::Renew { lease_until } => next.lease_until = *lease_until,
        Change::Announce => next.announced = true,
        Change::Complete(value) | Change::ResolveApplied(value) => {
            finish(&mut next, Status::Completed, value, request);
        }
        Change::Fail(value) | Change::ResolveFailed(value) => {
            finish(&mut next, Status::Failed, value, request);
        }
        Change::Release | Change::ReleaseByHand => next.status = Status::Released,
        Change::MarkUnknown => next.status = Status::Unknown,
        Change::ResolveNotApplied => {
            next.status = Status::Released;
            next.announced = false;
        }
    }
    let until = request.now.plus(request.ttl);
    match next.status {
        Status::InProgress => next.retain_until = retention(&next, until),
        Status::Released => next.retain_until = Some(until),
        Status::Unknown => next.retain_until = None,
        Status::Completed | Status::Failed => {}
    }
    WriteDecision { answer: Written::Applied { lease_until: next.lease_until }, write: Some(next) }
}

fn finish(record: &mut Record, status: Status, value: &RecordedValue, request: &OwnerWrite) {
    let expires_at = request.now.plus(request.ttl);
    record.status = status;
    record.value = Some(value.clone());
    record.completed_at = Some(request.now);
    record.expires_at = Some(expires_at);
    record.retain_until = Some(expires_at.plus(request.tombstone));
}

/// Whether this owner's record already says what the change would make it say.
fn is_done(record: &Record, change: &Change) -> bool {
    match change {
        Change::Complete(_) | Change::ResolveApplied(_) => record.status == Status::Completed,
        Change::Fail(_) | Change::ResolveFailed(_) => record.status == Status::Failed,
        Change::Release | Change::ReleaseByHand | Change::ResolveNotApplied => {
            record.status == Status::Released
        }
        Change::MarkUnknown => record.status == Status::Unknown,
        Change::Renew { .. } | Change::Announce => false,
    }
}

fn answer(answer: Written) -> WriteDecision {
    WriteDecision { write: None, answer }
}
