//! The guards of the protocol, and the same protocol without one of them.
//!
//! A guard is removed around the real functions, by showing them a state in which it does not apply or by changing
//! what they say; nothing of the protocol is written a second time here.

use std::time::Duration;

use idempotency_runtime::protocol::attempt::{Action, At, Attempt, Event, Stopped};
use idempotency_runtime::protocol::{self, ClaimDecision, WriteDecision};
use idempotency_runtime::{
    Change, Claim, ClaimRequest, Epoch, OnCrash, OnExpired, OwnerToken, OwnerWrite, Record, Status, Timestamp,
};

/// A guard of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    /// A claim respects a live lease.
    LiveLease,
    /// A dead lease is not respected.
    DeadLease,
    /// A claim adds the skew budget to another owner's lease. Within one budget it is redundant with
    /// [`Guard::SkewOfOwners`]; together the two cover clocks that differ by two budgets.
    SkewOfClaims,
    /// The owner subtracts the skew budget from its own lease.
    SkewOfOwners,
    /// An announced attempt whose lease is over becomes unknown.
    AnnouncedBecomesUnknown,
    /// An attempt of an operation that holds becomes unknown when its lease is over.
    HeldBecomesUnknown,
    /// An unknown outcome is no free key.
    UnknownStays,
    /// One caller at a time may find out.
    OneProbe,
    /// An unknown outcome may be found out.
    Probes,
    /// A takeover raises the epoch.
    EpochGrows,
    /// The first epoch of a key is above those of its purged records.
    FirstEpochIsHigh,
    /// An owner that has released the key is not granted it again.
    UsedOwner,
    /// A caller recognises its own claim.
    OwnClaim,
    /// Another request under the same key is a mismatch.
    Fingerprint,
    /// A final outcome is not claimed over before its TTL is over.
    FinalIsNotClaimed,
    /// A final outcome past its TTL is not claimed over while its tombstone stands.
    Tombstone,
    /// A write needs the owner of the record. It is needed beside the epoch for a record that was removed by hand: in
    /// the millisecond of its claim the next one gets the same epoch.
    OwnerOfWrites,
    /// A write needs the epoch of the record. It is needed beside the owner for a late duplicate of a claim, which makes
    /// an old owner the owner again.
    EpochOfWrites,
    /// A write needs a record that is still in progress.
    WritesNeedInProgress,
    /// A write does not change a final outcome.
    FinalIsNotWritten,
    /// A renewal never shortens the lease.
    RenewalsAreLater,
    /// A write does not bring a removed record back.
    GoneStaysGone,
    /// The body is not polled on a lease that cannot be trusted.
    SelfStop,
    /// The trust in a lease ends by wall time: monotonic time does not count while a machine is frozen.
    WallTimeOfTrust,
    /// The trust in a lease ends by monotonic time: wall time may be set back.
    MonotonicTimeOfTrust,
}

impl Guard {
    /// Every guard.
    pub const ALL: [Self; 25] = [
        Self::LiveLease,
        Self::DeadLease,
        Self::SkewOfClaims,
        Self::SkewOfOwners,
        Self::AnnouncedBecomesUnknown,
        Self::HeldBecomesUnknown,
        Self::UnknownStays,
        Self::OneProbe,
        Self::Probes,
        Self::EpochGrows,
        Self::FirstEpochIsHigh,
        Self::UsedOwner,
        Self::OwnClaim,
        Self::Fingerprint,
        Self::FinalIsNotClaimed,
        Self::Tombstone,
        Self::OwnerOfWrites,
        Self::EpochOfWrites,
        Self::WritesNeedInProgress,
        Self::FinalIsNotWritten,
        Self::RenewalsAreLater,
        Self::GoneStaysGone,
        Self::SelfStop,
        Self::WallTimeOfTrust,
        Self::MonotonicTimeOfTrust,
    ];
}

/// The protocol without some of its guards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules<'a>(pub(crate) &'a [Guard]);

const NOBODY: OwnerToken = OwnerToken::from_bytes([u8::MAX; 16]);

impl Rules<'_> {
    pub(crate) fn lacks(self, guard: Guard) -> bool {
        self.0.contains(&guard)
    }

    /// [`protocol::claim`].
    pub(crate) fn claim(self, found: Option<&Record>, request: &ClaimRequest) -> ClaimDecision {
        let (mut request, mut seen) = (request.clone(), found.cloned());
        if self.lacks(Guard::SkewOfClaims) {
            request.skew_budget = Duration::ZERO;
        }
        request.probe &= !self.lacks(Guard::Probes);
        if self.lacks(Guard::Tombstone) {
            request.on_expired = OnExpired::Run;
        }
        if let Some(record) = &mut seen {
            self.disguise(record, &request);
        }
        let mut decision = protocol::claim(seen.as_ref(), &request);
        let epoch = match found {
            Some(record) if self.lacks(Guard::EpochGrows) => record.epoch,
            None if self.lacks(Guard::FirstEpochIsHigh) => Epoch::new(1),
            _ => return decision,
        };
        if let Some(record) = &mut decision.write {
            record.epoch = epoch;
        }
        if let Claim::Acquired { epoch: told, .. } | Claim::Probe { epoch: told, .. } = &mut decision.answer {
            *told = epoch;
        }
        decision
    }

    /// Shows a claim a record to which the missing guard does not apply.
    fn disguise(self, record: &mut Record, request: &ClaimRequest) {
        let is_own = record.owner == request.owner;
        if self.lacks(Guard::Fingerprint) {
            record.fingerprint = request.fingerprint;
        }
        match record.status {
            Status::InProgress => {
                if self.lacks(Guard::LiveLease) && !is_own {
                    record.lease_until = Timestamp::from_millis(0);
                }
                if self.lacks(Guard::DeadLease) && !is_own {
                    record.lease_until = Timestamp::from_millis(u64::MAX);
                }
                record.announced &= !self.lacks(Guard::AnnouncedBecomesUnknown);
                if self.lacks(Guard::HeldBecomesUnknown) {
                    record.on_crash = OnCrash::Rerun;
                }
                if self.lacks(Guard::OwnClaim) && is_own {
                    record.owner = NOBODY;
                }
            }
            Status::Released if self.lacks(Guard::UsedOwner) => record.owner = NOBODY,
            Status::Unknown if self.lacks(Guard::UnknownStays) => record.status = Status::Released,
            Status::Unknown if self.lacks(Guard::OneProbe) => record.lease_until = Timestamp::from_millis(0),
            Status::Completed | Status::Failed if self.lacks(Guard::FinalIsNotClaimed) => {
                record.expires_at = Some(Timestamp::from_millis(0));
            }
            _ => {}
        }
    }

    /// [`protocol::write`].
    pub(crate) fn write(self, found: Option<&Record>, request: &OwnerWrite) -> WriteDecision {
        let (mut request, mut seen) = (request.clone(), found.cloned());
        if seen.is_none() && self.lacks(Guard::GoneStaysGone) {
            let OwnerWrite { key, owner, epoch, now, .. } = request.clone();
            seen = Some(Record::claimed(key, owner, epoch, now, now));
        }
        if let Some(record) = &mut seen {
            if self.lacks(Guard::OwnerOfWrites) {
                request.owner = record.owner;
            }
            if self.lacks(Guard::EpochOfWrites) {
                request.epoch = record.epoch;
            }
            let missing =
                if record.status.is_final() { Guard::FinalIsNotWritten } else { Guard::WritesNeedInProgress };
            if self.lacks(missing) && !request.change.settles_unknown() {
                record.status = Status::InProgress;
            }
            if self.lacks(Guard::RenewalsAreLater) && matches!(request.change, Change::Renew { .. }) {
                record.lease_until = Timestamp::from_millis(0);
            }
        }
        protocol::write(seen.as_ref(), &request)
    }

    /// [`Attempt::step`].
    pub(crate) fn step(self, attempt: Attempt, event: Event<'_>) -> (Attempt, Action) {
        let stepped = attempt.step(event);
        let Event::Polling(at) = event else { return stepped };
        if stepped.1 != Action::Stop(Stopped::NotRenewed) {
            return stepped;
        }
        let blind = At {
            wall: if self.lacks(Guard::WallTimeOfTrust) { Timestamp::default() } else { at.wall },
            monotonic: if self.lacks(Guard::MonotonicTimeOfTrust) { Duration::ZERO } else { at.monotonic },
        };
        let trusts = attempt.step(Event::Polling(blind)).1 != stepped.1;
        if self.lacks(Guard::SelfStop) || trusts {
            return (attempt, Action::Run { wake_in: Duration::ZERO });
        }
        stepped
    }
}
