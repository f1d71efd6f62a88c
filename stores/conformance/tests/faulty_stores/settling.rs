//! What a wrong store does about an unknown outcome, and about who finds out.

use std::time::Duration;

use idempotency_runtime::{Change, ClaimRequest, OwnerToken, OwnerWrite, Record, Status, Timestamp};

use crate::fault::Fault;
use crate::faulty::FaultyStore;

impl FaultyStore {
    /// How the store misreads a claim on a record whose outcome is unknown, or may be.
    pub(crate) fn misread_probe(&self, mut request: ClaimRequest) -> ClaimRequest {
        match self.fault {
            Fault::GrantsEveryProbe => request.probe = true,
            Fault::GrantsNoProbe => request.probe = false,
            Fault::ForgetsTheEffectTimeout => request.effect_timeout = Duration::ZERO,
            Fault::ComparesNothingForAProbe if request.probe => request.fingerprint = None,
            _ => {}
        }
        request
    }

    /// How the store misreads the record that a claim finds.
    pub(crate) fn misread_unknown(&self, mut record: Record, request: &ClaimRequest) -> Record {
        match self.fault {
            Fault::ProbesALiveLease if request.probe && record.status == Status::Unknown => {
                record.lease_until = Timestamp::from_millis(0);
            }
            Fault::ProbesALiveAttempt if request.probe && record.holds_after_crash() => {
                record.status = Status::Unknown;
                record.lease_until = Timestamp::from_millis(0);
            }
            Fault::TakesOverForAProbe if request.probe => record.status = Status::InProgress,
            Fault::DoesNotKnowWhoProbes if record.status == Status::Unknown => {
                record.owner = OwnerToken::from_bytes([0; 16]);
            }
            _ => {}
        }
        record
    }

    /// What the store does to the record that the right to find out writes.
    pub(crate) fn miswrite_probe(&self, mut record: Record, found: Option<&Record>) -> Record {
        let Some(found) = found.filter(|_| record.status == Status::Unknown) else { return record };
        match self.fault {
            Fault::KeepsTheEpochOnProbe => record.epoch = found.epoch,
            Fault::CountsProbesAsAttempts => record.attempt += 1,
            Fault::KeepsTheOwnerOnProbe => record.owner = found.owner,
            Fault::KeepsTheLeaseOnProbe => record.lease_until = found.lease_until,
            Fault::LeavesTheProbedInProgress => record.status = found.status,
            Fault::ForgetsTheProbed => record.retain_until = Some(record.lease_until),
            _ => {}
        }
        record
    }

    /// How the store misreads the record that a write finds.
    pub(crate) fn misread_settled(&self, mut record: Record, request: &OwnerWrite) -> Record {
        let settles = request.change.settles_unknown();
        match self.fault {
            Fault::SettlesInProgress if settles && record.status == Status::InProgress => {
                record.status = Status::Unknown;
            }
            Fault::LetsAttemptsSettle if !settles && record.status == Status::Unknown => {
                record.status = Status::InProgress;
            }
            Fault::SettlesForAnyone if settles => record.owner = request.owner,
            Fault::SettlesUnderAnyEpoch if settles => record.epoch = request.epoch,
            Fault::SettlesTwice if settles && record.status != Status::InProgress => {
                record.status = Status::Unknown;
            }
            _ => {}
        }
        record
    }

    /// What the store does to the record that a settlement writes.
    pub(crate) fn miswrite_settlement(&self, mut record: Record, request: &OwnerWrite) -> Record {
        match (self.fault, &request.change) {
            (Fault::KeepsTheAnnouncement, Change::ResolveNotApplied) => record.announced = true,
            (Fault::KeepsTheSettledForEver, Change::ResolveNotApplied) => record.retain_until = None,
            (Fault::LosesWhatWasFound, Change::ResolveApplied(_)) => record.value = None,
            _ => {}
        }
        record
    }
}
