//! The conditional writes of an owner.

use std::time::Duration;

use crate::key::IdempotencyKey;
use crate::owner::OwnerToken;
use crate::record::{Epoch, Record, RecordedValue, Status};
use crate::time::Timestamp;

/// The arguments of [`Store::write`](crate::Store::write): one change by the owner of a claim.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OwnerWrite {
    /// The claimed key.
    pub key: IdempotencyKey,
    /// Who writes.
    pub owner: OwnerToken,
    /// The epoch of the claim.
    pub epoch: Epoch,
    /// The time of the write.
    pub now: Timestamp,
    /// How long a final outcome is replayed, counted from `now`; for other changes, how long the record is
    /// kept.
    pub ttl: Duration,
    /// How long after the TTL a final record is still kept, so that a late retry can be told *expired*.
    pub tombstone: Duration,
    /// What changes.
    pub change: Change,
}

impl OwnerWrite {
    /// A write without a tombstone.
    pub fn new(
        key: IdempotencyKey,
        owner: OwnerToken,
        epoch: Epoch,
        now: Timestamp,
        ttl: Duration,
        change: Change,
    ) -> Self {
        Self { key, owner, epoch, now, ttl, tombstone: Duration::ZERO, change }
    }
}

/// What an owner changes. Every change is conditional on owner, epoch and, unless it says otherwise, *in progress*.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The lease is extended; it never gets shorter.
    Renew {
        /// The new end of the lease.
        lease_until: Timestamp,
    },
    /// An irreversible effect begins.
    Announce,
    /// The body succeeded.
    Complete(RecordedValue),
    /// The body ended with a terminal error.
    Fail(RecordedValue),
    /// The attempt ended with a retryable error.
    Release,
    /// A person frees the key of an attempt that has not announced an effect; refused if it has, or if its operation
    /// holds the key after a crash.
    ReleaseByHand,
    /// The attempt ended, and nobody knows whether its effect happened.
    MarkUnknown,
    /// It was found out that the effect of the unknown attempt happened; this is its outcome. Conditional on
    /// *unknown* instead of *in progress*.
    ResolveApplied(RecordedValue),
    /// It was found out that the unknown attempt failed for good; this is its error. Conditional on *unknown* instead of
    /// *in progress*.
    ResolveFailed(RecordedValue),
    /// It was found out that the effect of the unknown attempt did not happen: the next call runs the body. Conditional
    /// on *unknown* instead of *in progress*.
    ResolveNotApplied,
}

impl Change {
    /// Whether the change settles an unknown outcome; all others are an owner's and need the record *in progress*.
    pub fn settles_unknown(&self) -> bool {
        matches!(self, Self::ResolveApplied(_) | Self::ResolveFailed(_) | Self::ResolveNotApplied)
    }
}

/// The answer to an owner's write. Only [`Written::Applied`] and [`Written::AlreadyDone`] mean that the record
/// says what the owner wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a write that was refused means that the claim is lost"]
#[non_exhaustive]
pub enum Written {
    /// The write was applied, or a renewal found a lease that is already as long.
    Applied {
        /// The lease as stored.
        lease_until: Timestamp,
    },
    /// This owner's earlier write of the same kind was applied and its answer was lost.
    AlreadyDone,
    /// The claim is lost.
    Refused(Refusal),
}

/// Why an owner's write was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The record was purged or evicted. It is never resurrected.
    Gone,
    /// Another owner holds the claim or has ended without a final outcome.
    TakenOver,
    /// Another owner has finished: this is the outcome.
    Finished(Box<Record>),
}

/// The arguments of [`Store::evict`](crate::Store::evict).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Evict {
    /// The key whose record shall go.
    pub key: IdempotencyKey,
    /// Remove the record only if it still has this epoch.
    pub epoch: Epoch,
    /// Remove the record only if it still stands there: an attempt that is seen *in progress* may complete at any
    /// moment, and keeps its epoch. `None`: wherever it stands.
    pub status: Option<Status>,
}

impl Evict {
    /// Removes the record of `key` if it still has this epoch.
    pub fn new(key: IdempotencyKey, epoch: Epoch) -> Self {
        Self { key, epoch, status: None }
    }

    /// The same, only if the record still stands there.
    pub fn standing(mut self, status: Status) -> Self {
        self.status = Some(status);
        self
    }

    /// Whether this record is the one to remove.
    pub fn means(&self, record: &Record) -> bool {
        record.epoch == self.epoch && self.status.is_none_or(|status| record.status == status)
    }
}
