//! The claim: the atomic write that makes a caller the owner of a key, and what it may find instead.

use std::time::Duration;

use crate::fingerprint::Fingerprint;
use crate::key::IdempotencyKey;
use crate::owner::OwnerToken;
use crate::record::{Epoch, OnCrash, Record, Status};
use crate::time::Timestamp;

/// What a call after the TTL gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnExpired {
    /// It runs the body again, as if there had never been a record.
    #[default]
    Run,
    /// It is told *expired*, as long as the record is retained.
    Reject,
}

/// The arguments of [`Store::claim`](crate::Store::claim).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClaimRequest {
    /// The key to claim.
    pub key: IdempotencyKey,
    /// What must be equal in a repeated request; `None` compares nothing.
    pub fingerprint: Option<Fingerprint>,
    /// Who claims. The same token asks again after a lost answer.
    pub owner: OwnerToken,
    /// The time to judge by.
    pub now: Timestamp,
    /// Until when the claim shall be honoured without renewal.
    pub lease_until: Timestamp,
    /// How long after its end another owner's lease is still respected, since clocks differ.
    pub skew_budget: Duration,
    /// How long the record is kept after its last write while it has no final outcome.
    pub ttl: Duration,
    /// What a crash of this attempt shall mean.
    pub on_crash: OnCrash,
    /// What a final outcome past its TTL means to this caller.
    pub on_expired: OnExpired,
    /// How long after the end of a lease an effect of its owner may still be under way: no right to find out is given
    /// before.
    pub effect_timeout: Duration,
    /// Whether this caller can find out what became of an unknown outcome: if it is not being found out already,
    /// the claim grants the right to do so.
    pub probe: bool,
}

impl ClaimRequest {
    /// A claim without a fingerprint, with the default skew budget and policies.
    pub fn new(
        key: IdempotencyKey,
        owner: OwnerToken,
        now: Timestamp,
        lease_until: Timestamp,
        ttl: Duration,
    ) -> Self {
        Self {
            key,
            fingerprint: None,
            owner,
            now,
            lease_until,
            skew_budget: crate::DEFAULT_SKEW_BUDGET,
            ttl,
            on_crash: OnCrash::default(),
            on_expired: OnExpired::default(),
            effect_timeout: Duration::ZERO,
            probe: false,
        }
    }
}

/// What a claim was granted over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Previous {
    /// Nothing: no record, or one whose retention is over.
    Nothing,
    /// An attempt that ended with a retryable error.
    Released,
    /// An owner whose lease ended without a verdict.
    Abandoned,
    /// This caller's own claim, whose answer was lost.
    Own,
}

/// The answer to a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// The caller owns the key and must run the body.
    Acquired {
        /// The fencing token of all its writes.
        epoch: Epoch,
        /// The number of this attempt, from 1.
        attempt: u32,
        /// The lease as stored.
        lease_until: Timestamp,
        /// What the claim was granted over.
        previous: Previous,
    },
    /// Another owner runs the body.
    InProgress {
        /// When it claimed.
        since: Timestamp,
        /// Until when its claim is honoured without renewal.
        lease_until: Timestamp,
    },
    /// The outcome is known.
    Final(Box<Record>),
    /// The key was used for another request; nothing of the old value is told.
    Mismatch {
        /// When the other request claimed.
        since: Timestamp,
        /// Where its record stands.
        status: Status,
    },
    /// The outcome was final, and its TTL is over.
    Expired {
        /// When the outcome stopped being replayed.
        since: Timestamp,
    },
    /// Nobody knows whether the effect happened.
    Unknown {
        /// When the attempt was claimed that ended without a verdict.
        since: Timestamp,
        /// From then on, plus the skew budget, it may be found out: the end of the lease of that attempt, or of who is
        /// finding out.
        lease_until: Timestamp,
    },
    /// Nobody knows whether the effect happened, and this caller alone may find out. It does not own the key: the
    /// body must not run.
    Probe {
        /// The fencing token of what it finds.
        epoch: Epoch,
        /// The number of the attempt whose outcome is unknown.
        attempt: u32,
        /// Until when the right is honoured.
        lease_until: Timestamp,
        /// When the attempt was claimed that ended without a verdict.
        since: Timestamp,
    },
    /// This owner token has already released the key: ask again with a new one. A late duplicate of a claim
    /// gets this answer.
    OwnerUsed,
}
