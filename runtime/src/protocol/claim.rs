//! What a claim finds.

use crate::claim::{Claim, ClaimRequest, OnExpired, Previous};
use crate::record::{Epoch, OnCrash, Record, Status};
use crate::time::Timestamp;

/// What a claim does to the record, and what the caller is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimDecision {
    /// The record to store instead of the one found; `None`: nothing is written.
    pub write: Option<Record>,
    /// The answer.
    pub answer: Claim,
}

/// Decides a claim on the record found under its key. The checks are made in this order:
///
/// | found | told |
/// |---|---|
/// | no record, a retention that is over, a final outcome past its TTL | acquired (or *expired*, if the caller asks for that) |
/// | another fingerprint on a state that is not free for a corrected request | mismatch |
/// | in progress, same owner | acquired: the answer to the caller's own claim was lost |
/// | in progress, lease live or dead for less than the skew budget | in progress |
/// | in progress, lease dead, announced or held | becomes unknown; past the effect timeout, the right to find out |
/// | in progress, lease dead | acquired, epoch + 1 |
/// | released by another owner | acquired, epoch + 1 |
/// | released by this owner | ask again with a new owner |
/// | completed, failed | the outcome |
/// | unknown | unknown; past lease and effect timeout, for one caller at a time that can find out, the right to do so, epoch + 1 |
pub fn claim(found: Option<&Record>, request: &ClaimRequest) -> ClaimDecision {
    let Some(record) = found else {
        return acquire(Epoch::first(request.now), 1, Previous::Nothing, request);
    };
    if record.is_forgotten(request.now, request.skew_budget) {
        return acquire(record.epoch.next(), 1, Previous::Nothing, request);
    }
    if let Some(since) = expired_since(record, request.now) {
        return match request.on_expired {
            OnExpired::Run => acquire(record.epoch.next(), 1, Previous::Nothing, request),
            OnExpired::Reject => refuse(Claim::Expired { since }),
        };
    }
    if !fingerprints_agree(record, request) && !takes_another_request(record, request) {
        return refuse(Claim::Mismatch { since: record.claimed_at, status: record.status });
    }
    match record.status {
        Status::InProgress => in_progress(record, request),
        Status::Released if record.owner == request.owner => refuse(Claim::OwnerUsed),
        Status::Released => take_over(record, Previous::Released, request),
        Status::Completed | Status::Failed => refuse(Claim::Final(Box::new(record.clone()))),
        Status::Unknown => unknown(record, request),
    }
}

fn in_progress(record: &Record, request: &ClaimRequest) -> ClaimDecision {
    if record.owner == request.owner {
        return refuse(Claim::Acquired {
            epoch: record.epoch,
            attempt: record.attempt,
            lease_until: record.lease_until,
            previous: Previous::Own,
        });
    }
    if !record.lease_is_dead(request.now, request.skew_budget) {
        return refuse(Claim::InProgress { since: record.claimed_at, lease_until: record.lease_until });
    }
    if record.holds_after_crash() {
        let unknown = Record { status: Status::Unknown, retain_until: None, ..record.clone() };
        if effect_is_over(record, request) && request.probe {
            return probe(&unknown, request);
        }
        let answer = Claim::Unknown { since: record.claimed_at, lease_until: record.lease_until };
        return ClaimDecision { write: Some(unknown), answer };
    }
    take_over(record, Previous::Abandoned, request)
}

fn unknown(record: &Record, request: &ClaimRequest) -> ClaimDecision {
    let since = record.claimed_at;
    if request.probe && record.owner == request.owner {
        let Record { epoch, attempt, lease_until, .. } = *record;
        return refuse(Claim::Probe { epoch, attempt, lease_until, since });
    }
    if request.probe && effect_is_over(record, request) {
        return probe(record, request);
    }
    refuse(Claim::Unknown { since, lease_until: record.lease_until })
}

/// Whether what the last owner has begun has ended one way or the other, so that looking for it tells the truth.
fn effect_is_over(record: &Record, request: &ClaimRequest) -> bool {
    record.lease_is_dead(request.now, request.skew_budget.saturating_add(request.effect_timeout))
}

/// The outcome stays unknown; whose right it is to find out changes.
fn probe(record: &Record, request: &ClaimRequest) -> ClaimDecision {
    let mut record = record.clone();
    record.owner = request.owner;
    record.epoch = record.epoch.next();
    record.lease_until = request.lease_until;
    let Record { epoch, attempt, lease_until, claimed_at: since, .. } = record;
    ClaimDecision { answer: Claim::Probe { epoch, attempt, lease_until, since }, write: Some(record) }
}

/// A final outcome is replayed up to and including its last instant.
fn expired_since(record: &Record, now: Timestamp) -> Option<Timestamp> {
    record.expires_at.filter(|expires_at| record.status.is_final() && now > *expires_at)
}

/// A side that compares nothing agrees with everything: a fingerprint may come with a later deployment.
fn fingerprints_agree(record: &Record, request: &ClaimRequest) -> bool {
    match (&record.fingerprint, &request.fingerprint) {
        (Some(recorded), Some(asked)) => recorded == asked,
        _ => true,
    }
}

/// A corrected request may follow a failed predecessor that has left nothing behind; otherwise it would be
/// locked out by it.
fn takes_another_request(record: &Record, request: &ClaimRequest) -> bool {
    let ended = match record.status {
        Status::Released => record.owner != request.owner,
        Status::InProgress => {
            record.owner != request.owner && record.lease_is_dead(request.now, request.skew_budget)
        }
        _ => false,
    };
    ended && !record.announced && record.on_crash == OnCrash::Rerun
}

fn take_over(record: &Record, previous: Previous, request: &ClaimRequest) -> ClaimDecision {
    let mut decision = acquire(record.epoch.next(), record.attempt.saturating_add(1), previous, request);
    if let Some(next) = &mut decision.write {
        // A claim that comes late, or from a host whose clock is behind, does not let the record go sooner.
        next.retain_until =
            next.retain_until.zip(record.retain_until).map(|(new, old)| new.max(old)).or(next.retain_until);
    }
    decision
}

fn acquire(epoch: Epoch, attempt: u32, previous: Previous, request: &ClaimRequest) -> ClaimDecision {
    let mut record =
        Record::claimed(request.key.clone(), request.owner, epoch, request.now, request.lease_until);
    record.fingerprint = request.fingerprint;
    record.attempt = attempt;
    record.on_crash = request.on_crash;
    record.retain_until = retention(&record, request.now.plus(request.ttl));
    ClaimDecision {
        answer: Claim::Acquired { epoch, attempt, lease_until: record.lease_until, previous },
        write: Some(record),
    }
}

/// Attempts whose crash needs a decision never go away by themselves.
pub(super) fn retention(record: &Record, until: Timestamp) -> Option<Timestamp> {
    (!record.holds_after_crash()).then_some(until)
}

fn refuse(answer: Claim) -> ClaimDecision {
    ClaimDecision { write: None, answer }
}
