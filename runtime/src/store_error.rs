//! What can go wrong in a store.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;

/// The class of a [`StoreError`]: what a caller may do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// The store could not be reached or did not answer; the write may or may not have been applied.
    Unavailable,
    /// Another writer held the store for too long; nothing was applied.
    Busy,
    /// The service refused the call for its rate; nothing was applied.
    Throttled,
    /// The transaction that the call belongs to is over or cannot be committed; nothing of it was applied.
    RolledBack,
    /// No room for another record: a full disk or the bound of a bounded store.
    Full,
    /// The store may not be written.
    ReadOnly,
    /// The record is larger than the store takes.
    TooLarge,
    /// What the store holds cannot be read.
    Corrupt,
    /// What the store holds was written by a newer version of this crate.
    NewerFormat,
    /// The store is not set up: a missing table, a wrong path, a feature that is off.
    Misconfigured,
    /// Something else.
    Other,
}

impl StoreErrorKind {
    /// Whether the same call may succeed later without anybody changing the set-up.
    pub fn is_retryable(self) -> bool {
        matches!(self, Self::Unavailable | Self::Busy | Self::Throttled | Self::RolledBack)
    }

    /// Whether the write may have been applied although its answer is an error.
    pub fn is_ambiguous(self) -> bool {
        matches!(self, Self::Unavailable)
    }
}

/// An error of a store: what failed, where, and what to do about it. It never contains a payload.
#[derive(Debug)]
pub struct StoreError {
    kind: StoreErrorKind,
    message: Cow<'static, str>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl StoreError {
    /// An error of this class; `message` says what failed, where, and what to do.
    pub fn new(kind: StoreErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, message: message.into(), source: None }
    }

    /// The same error with its cause.
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The class of the error.
    pub fn kind(&self) -> StoreErrorKind {
        self.kind
    }

    /// Whether the same call may succeed later.
    pub fn is_retryable(&self) -> bool {
        self.kind.is_retryable()
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for StoreError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
