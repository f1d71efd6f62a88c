//! The record of one key, as every store keeps it.

use std::fmt;
use std::sync::Arc;

use crate::fingerprint::Fingerprint;
use crate::key::IdempotencyKey;
use crate::owner::OwnerToken;
use crate::time::Timestamp;

/// The fencing token: it grows with every claim of a key, also over a purged record, and every write of an
/// owner is conditional on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(u64);

impl Epoch {
    /// The epoch with this number.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The epoch of a claim on a key without a record: the claim's time in milliseconds + 1, so that it is
    /// above every epoch of a record that was purged.
    pub fn first(now: Timestamp) -> Self {
        Self(now.as_millis().saturating_add(1))
    }

    /// The epoch of the next claim.
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where a record stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// An owner runs the body, or has died doing so.
    InProgress,
    /// An attempt ended with a retryable error: the next call runs the body again.
    Released,
    /// The body succeeded; duplicates are answered from the record.
    Completed,
    /// The body ended with a terminal error; duplicates get the same error.
    Failed,
    /// Nobody knows whether the effect happened; only a person or a probe may decide.
    Unknown,
}

impl Status {
    /// Completed or failed: the outcome never changes again.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }

    /// The word for this status in messages and stores.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Released => "released",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }

    /// The status with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::InProgress, Self::Released, Self::Completed, Self::Failed, Self::Unknown]
            .into_iter()
            .find(|status| status.as_str() == word)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What an attempt that ended without a verdict (a crash, a lost lease) leaves behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnCrash {
    /// The next call runs the body again.
    #[default]
    Rerun,
    /// The outcome is unknown until a person or a probe decides.
    Hold,
}

/// The recorded result of a body.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedValue {
    /// The version of the result's type, as the operation declares it.
    pub version: u32,
    /// The encoded value; `None` if it was too large or could not be carried back.
    pub bytes: Option<Arc<[u8]>>,
}

impl RecordedValue {
    /// A value of this version; `None` means that it was not kept.
    pub fn new(version: u32, bytes: Option<Arc<[u8]>>) -> Self {
        Self { version, bytes }
    }
}

impl fmt::Debug for RecordedValue {
    /// Shows the length only: payloads stay out of logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.bytes.as_ref().map(|bytes| bytes.len());
        f.debug_struct("RecordedValue").field("version", &self.version).field("bytes", &length).finish()
    }
}

/// The record of one key.
///
/// Stores that read it back start from [`Record::claimed`] and set the fields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The key.
    pub key: IdempotencyKey,
    /// Where the record stands.
    pub status: Status,
    /// The hash of what must be equal in a repeated request; `None` if the operation compares nothing.
    pub fingerprint: Option<Fingerprint>,
    /// The owner of the current attempt, or of the last one.
    pub owner: OwnerToken,
    /// The epoch of the current attempt, or of the last one.
    pub epoch: Epoch,
    /// How many attempts have been claimed, this one included.
    pub attempt: u32,
    /// When the current or last attempt was claimed.
    pub claimed_at: Timestamp,
    /// Until when the claim is honoured without renewal.
    pub lease_until: Timestamp,
    /// What a crash of the attempt means.
    pub on_crash: OnCrash,
    /// Whether the body has announced that an irreversible effect begins.
    pub announced: bool,
    /// The recorded result of a final outcome.
    pub value: Option<RecordedValue>,
    /// When the outcome became final.
    pub completed_at: Option<Timestamp>,
    /// When a final outcome stops being replayed: completion plus TTL. It is still replayed at this instant.
    pub expires_at: Option<Timestamp>,
    /// When the record may be removed; `None`: never by itself.
    pub retain_until: Option<Timestamp>,
}

impl Record {
    /// A record in progress as a first claim writes it; all optional fields are empty.
    pub fn claimed(
        key: IdempotencyKey,
        owner: OwnerToken,
        epoch: Epoch,
        claimed_at: Timestamp,
        lease_until: Timestamp,
    ) -> Self {
        Self {
            key,
            status: Status::InProgress,
            fingerprint: None,
            owner,
            epoch,
            attempt: 1,
            claimed_at,
            lease_until,
            on_crash: OnCrash::Rerun,
            announced: false,
            value: None,
            completed_at: None,
            expires_at: None,
            retain_until: None,
        }
    }

    /// Whether the claim's lease has been over for at least the skew budget: it may be taken over.
    pub fn lease_is_dead(&self, now: Timestamp, skew_budget: std::time::Duration) -> bool {
        now >= self.lease_until.plus(skew_budget)
    }

    /// Whether an attempt that ends without a verdict leaves an unknown outcome.
    pub fn holds_after_crash(&self) -> bool {
        self.announced || self.on_crash == OnCrash::Hold
    }

    /// Whether the record may be removed at `now`: its retention is over and nobody can be working on it.
    pub fn is_forgotten(&self, now: Timestamp, skew_budget: std::time::Duration) -> bool {
        let over = self.retain_until.is_some_and(|until| now > until);
        let abandoned = match self.status {
            Status::InProgress => self.lease_is_dead(now, skew_budget) && !self.holds_after_crash(),
            Status::Unknown => false,
            Status::Released | Status::Completed | Status::Failed => true,
        };
        over && abandoned
    }
}
