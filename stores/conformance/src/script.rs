//! The words that cases are written in: owners, times, requests, and the writes of an owner.

use std::sync::Arc;
use std::time::Duration;

use idempotency_runtime::{
    Change, ClaimRequest, Epoch, Evict, Fingerprint, FingerprintBuilder, IdempotencyKey, OnCrash, OnExpired,
    OwnerToken, OwnerWrite, Previous, Record, RecordedValue, Timestamp,
};

/// When cases begin.
pub const START: Timestamp = Timestamp::from_millis(1_782_639_000_000);

/// The lease of a claim.
pub const LEASE: Duration = Duration::from_secs(30);

/// How long an outcome is replayed.
pub const TTL: Duration = Duration::from_secs(3_600);

/// The skew budget of a claim.
pub const SKEW: Duration = idempotency_runtime::DEFAULT_SKEW_BUDGET;

/// The shortest step of stored time.
pub const MS: Duration = Duration::from_millis(1);

/// A second.
pub const SECOND: Duration = Duration::from_secs(1);

/// The owner that claims first.
pub const ANN: OwnerToken = OwnerToken::from_bytes([0xA1; 16]);

/// The owner that comes second.
pub const BOB: OwnerToken = OwnerToken::from_bytes([0xB0; 16]);

/// The owner that comes third.
pub const CAT: OwnerToken = OwnerToken::from_bytes([0xCA; 16]);

/// The time `span` after [`START`].
pub fn after(span: Duration) -> Timestamp {
    START.plus(span)
}

/// The first instant at which a claim of [`START`] that was never renewed may be taken over.
pub fn lease_dead() -> Timestamp {
    after(LEASE + SKEW)
}

/// The key that most cases use.
pub fn key() -> IdempotencyKey {
    key_of("case:1")
}

/// The key with this stored text.
pub fn key_of(text: &str) -> IdempotencyKey {
    IdempotencyKey::from_stored(text)
}

/// A claim of [`key`] by `owner`, with the usual lease and TTL.
pub fn request(owner: OwnerToken, now: Timestamp) -> ClaimRequest {
    ClaimRequest::new(key(), owner, now, now.plus(LEASE), TTL)
}

/// The fingerprint of the request number `number`.
pub fn fingerprint(number: u8) -> Fingerprint {
    let mut builder = FingerprintBuilder::new();
    match builder.include(&number, &[]) {
        Ok(()) => builder.finish(),
        Err(error) => panic!("a number has a fingerprint: {error}"),
    }
}

/// A recorded value of version 1 with these bytes.
pub fn value(bytes: impl AsRef<[u8]>) -> RecordedValue {
    RecordedValue::new(1, Some(Arc::from(bytes.as_ref())))
}

/// Variations of a claim.
pub trait Vary {
    /// The same for another key.
    fn of(self, key: &IdempotencyKey) -> Self;
    /// The same for the request with this number.
    fn validating(self, number: u8) -> Self;
    /// The same with another lease.
    fn leasing(self, lease: Duration) -> Self;
    /// The same with another TTL.
    fn keeping(self, ttl: Duration) -> Self;
    /// The same with another skew budget.
    fn skewed(self, budget: Duration) -> Self;
    /// The same for an operation whose crash leaves an unknown outcome.
    fn holding(self) -> Self;
    /// The same for an operation that rejects late retries.
    fn rejecting_late(self) -> Self;
    /// The same for a caller that can find out what became of an unknown outcome.
    fn probing(self) -> Self;
    /// The same for one who can, once an effect that takes so long after the lease must have ended.
    fn probing_after(self, effect_timeout: Duration) -> Self;
}

impl Vary for ClaimRequest {
    fn of(mut self, key: &IdempotencyKey) -> Self {
        self.key = key.clone();
        self
    }

    fn validating(mut self, number: u8) -> Self {
        self.fingerprint = Some(fingerprint(number));
        self
    }

    fn leasing(mut self, lease: Duration) -> Self {
        self.lease_until = self.now.plus(lease);
        self
    }

    fn keeping(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    fn skewed(mut self, budget: Duration) -> Self {
        self.skew_budget = budget;
        self
    }

    fn holding(mut self) -> Self {
        self.on_crash = OnCrash::Hold;
        self
    }

    fn rejecting_late(mut self) -> Self {
        self.on_expired = OnExpired::Reject;
        self
    }

    fn probing_after(mut self, effect_timeout: Duration) -> Self {
        self.effect_timeout = effect_timeout;
        self.probing()
    }

    fn probing(mut self) -> Self {
        self.probe = true;
        self
    }
}

/// A claim that was granted, and the writes of its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The claimed key.
    pub key: IdempotencyKey,
    /// The owner.
    pub owner: OwnerToken,
    /// The epoch of the claim.
    pub epoch: Epoch,
    /// The number of the attempt.
    pub attempt: u32,
    /// The lease as stored.
    pub lease_until: Timestamp,
    /// What the claim was granted over.
    pub previous: Previous,
}

impl Held {
    /// A change by this owner, with the usual TTL.
    pub fn change(&self, now: Timestamp, change: Change) -> OwnerWrite {
        OwnerWrite::new(self.key.clone(), self.owner, self.epoch, now, TTL, change)
    }

    /// The body succeeded with the value `"done"`.
    pub fn complete(&self, now: Timestamp) -> OwnerWrite {
        self.change(now, Change::Complete(value(r#""done""#)))
    }

    /// The body ended with the terminal error `"failed"`.
    pub fn fail(&self, now: Timestamp) -> OwnerWrite {
        self.change(now, Change::Fail(value(r#""failed""#)))
    }

    /// The attempt ended with a retryable error.
    pub fn release(&self, now: Timestamp) -> OwnerWrite {
        self.change(now, Change::Release)
    }

    /// The attempt ended without a verdict.
    pub fn mark_unknown(&self, now: Timestamp) -> OwnerWrite {
        self.change(now, Change::MarkUnknown)
    }

    /// An irreversible effect begins.
    pub fn announce(&self, now: Timestamp) -> OwnerWrite {
        self.change(now, Change::Announce)
    }

    /// The lease is extended by the usual length.
    pub fn renew(&self, now: Timestamp) -> OwnerWrite {
        self.change(now, Change::Renew { lease_until: now.plus(LEASE) })
    }

    /// It was found out that the effect happened, with the value `"found"`.
    pub fn found_applied(&self, now: Timestamp) -> OwnerWrite {
        self.change(now, Change::ResolveApplied(value(r#""found""#)))
    }

    /// It was found out that the effect did not happen.
    pub fn found_not_applied(&self, now: Timestamp) -> OwnerWrite {
        self.change(now, Change::ResolveNotApplied)
    }

    /// Both ways to settle an unknown outcome.
    pub fn settlements(&self, now: Timestamp) -> [OwnerWrite; 2] {
        [self.found_applied(now), self.found_not_applied(now)]
    }

    /// Every change of an attempt that is in progress.
    pub fn changes(&self, now: Timestamp) -> [OwnerWrite; 6] {
        [
            self.renew(now),
            self.announce(now),
            self.complete(now),
            self.fail(now),
            self.release(now),
            self.mark_unknown(now),
        ]
    }

    /// Removes the record of this claim.
    pub fn evict(&self) -> Evict {
        Evict::new(self.key.clone(), self.epoch)
    }

    /// The record as the claim of `request` writes it.
    pub fn record(&self, request: &ClaimRequest) -> Record {
        let mut record =
            Record::claimed(self.key.clone(), self.owner, self.epoch, request.now, request.lease_until);
        record.attempt = self.attempt;
        record.fingerprint = request.fingerprint;
        record.on_crash = request.on_crash;
        record.retain_until = (request.on_crash == OnCrash::Rerun).then(|| request.now.plus(request.ttl));
        record
    }
}

/// Variations of an owner's write.
pub trait VaryWrite {
    /// The same with another TTL.
    fn kept_for(self, ttl: Duration) -> Self;
    /// The same with a tombstone.
    fn buried_for(self, tombstone: Duration) -> Self;
}

impl VaryWrite for OwnerWrite {
    fn kept_for(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    fn buried_for(mut self, tombstone: Duration) -> Self {
        self.tombstone = tombstone;
        self
    }
}
