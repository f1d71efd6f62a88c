//! The error of an idempotent operation.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::key::IdempotencyKey;
use crate::outcome::{Codec, JsonCodec};
use crate::store_error::{StoreError, StoreErrorKind};
use crate::time::Timestamp;

/// Why a call was not answered with the operation's own result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Another call with this key is running; it says when to retry.
    InProgress,
    /// The operation is finished, and this caller asked not to get its outcome again.
    AlreadyCompleted,
    /// The key was used for another request.
    Mismatch,
    /// A part of the key is absent or empty, or cannot stand in a key. The store was not touched.
    MissingKeyPart,
    /// This caller lost its claim: it stopped the body, or its outcome was refused.
    LeaseLost,
    /// Nobody knows whether the effect of an earlier attempt happened.
    Unknown,
    /// The outcome was known once, and its TTL is over.
    Expired,
    /// The operation is finished, but its value was too large or could not be carried back.
    ValueNotKept,
    /// The recorded value cannot be read as this operation's result type, or the request cannot be hashed.
    Codec,
    /// The record cannot be read.
    Corrupt,
    /// The store failed; [`Error::store_error`] says how.
    Store,
    /// Two operations of one name share a namespace.
    DuplicateOperation,
    /// No store: neither given, nor in scope, nor installed.
    NoStore,
    /// The body called its own operation with its own key.
    Reentered,
    /// The deadline is so near that no lease fits before it. The body did not run.
    DeadlineTooNear,
    /// A setting of the operation cannot work, for example a lease that is shorter than the skew budget.
    Misconfigured,
}

impl ErrorKind {
    const fn retryable(self) -> bool {
        matches!(self, Self::InProgress | Self::LeaseLost | Self::DeadlineTooNear)
    }
}

/// The error of an idempotent operation. It names the operation and the key, never a payload.
///
/// The error type of an annotated function implements `From<Error>`.
///
/// ```
/// #[derive(Debug, thiserror::Error)]
/// enum OrderError {
///     #[error("the card was declined")]
///     Declined,
///     #[error(transparent)]
///     Idempotency(#[from] idempotency::Error),
/// }
///
/// fn retry_after(error: &OrderError) -> Option<std::time::Duration> {
///     match error {
///         OrderError::Idempotency(error) if error.is_retryable() => error.retry_after(),
///         _ => None,
///     }
/// }
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    operation: Cow<'static, str>,
    key: Option<IdempotencyKey>,
    detail: Cow<'static, str>,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
    retry_after: Option<Duration>,
    /// The body succeeded, and its outcome was not recorded.
    finished: bool,
    /// Its encoded value, if it could be encoded.
    unsaved: Option<Arc<[u8]>>,
    source: Option<Source>,
}

enum Source {
    Store(StoreError),
    Other(Box<dyn StdError + Send + Sync>),
}

impl Error {
    pub(crate) fn new(
        kind: ErrorKind,
        operation: impl Into<Cow<'static, str>>,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self(Box::new(Inner {
            kind,
            operation: operation.into(),
            key: None,
            detail: detail.into(),
            since: None,
            until: None,
            retry_after: None,
            finished: false,
            unsaved: None,
            source: None,
        }))
    }

    pub(crate) fn from_store(operation: impl Into<Cow<'static, str>>, error: StoreError) -> Self {
        let (kind, detail) = match error.kind() {
            StoreErrorKind::Corrupt => (ErrorKind::Corrupt, "the record cannot be read"),
            StoreErrorKind::NewerFormat => {
                (ErrorKind::Corrupt, "a newer version of this crate wrote the record")
            }
            _ => (ErrorKind::Store, "the store failed"),
        };
        let mut new = Self::new(kind, operation, detail);
        new.0.source = Some(Source::Store(error));
        new
    }

    pub(crate) fn with_key(mut self, key: &IdempotencyKey) -> Self {
        self.0.key = Some(key.clone());
        self
    }

    pub(crate) fn with_since(mut self, since: Timestamp) -> Self {
        self.0.since = Some(since);
        self
    }

    pub(crate) fn with_until(mut self, until: Timestamp) -> Self {
        self.0.until = Some(until);
        self
    }

    pub(crate) fn with_retry_after(mut self, after: Duration) -> Self {
        self.0.retry_after = Some(after);
        self
    }

    pub(crate) fn with_unsaved(mut self, bytes: Option<Arc<[u8]>>) -> Self {
        self.0.finished = true;
        self.0.unsaved = bytes;
        self
    }

    pub(crate) fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(Source::Other(source.into()));
        self
    }

    pub(crate) fn with_store_source(mut self, source: StoreError) -> Self {
        self.0.source = Some(Source::Store(source));
        self
    }

    /// The class of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The name of the operation; empty if there is none.
    pub fn operation(&self) -> &str {
        &self.0.operation
    }

    /// The key, if it could be built.
    pub fn key(&self) -> Option<&IdempotencyKey> {
        self.0.key.as_ref()
    }

    /// Since when another call holds the key, or when the record that stands in the way was claimed.
    pub fn since(&self) -> Option<Timestamp> {
        self.0.since
    }

    /// Until when the other call's claim is honoured without renewal.
    pub fn until(&self) -> Option<Timestamp> {
        self.0.until
    }

    /// After how long the same call makes sense at the latest: for a call that is in progress, when its claim could
    /// be taken over if its owner were dead. It is usually finished much sooner.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// The error of the store, if one was the cause.
    pub fn store_error(&self) -> Option<&StoreError> {
        match &self.0.source {
            Some(Source::Store(error)) => Some(error),
            _ => None,
        }
    }

    /// Whether the same call may succeed later.
    ///
    /// After a body has finished whose outcome could not be recorded ([`Error::unsaved_value`]) a retry runs
    /// the body again; decide that yourself.
    pub fn is_retryable(&self) -> bool {
        let is_found_out_meanwhile = self.0.kind == ErrorKind::Unknown && self.0.retry_after.is_some();
        !self.0.finished
            && (self.0.kind.retryable()
                || is_found_out_meanwhile
                || self.store_error().is_some_and(StoreError::is_retryable))
    }

    /// The body's own value, if the body succeeded and its outcome was not recorded; `None` otherwise, and if
    /// it does not decode as `T`.
    ///
    /// The effect has happened: use the value, and do not simply call again.
    pub fn unsaved_value<T: serde::Serialize + serde::de::DeserializeOwned>(&self) -> Option<T> {
        self.unsaved_value_as::<JsonCodec, T>()
    }

    /// The same for an operation with a codec of its own.
    pub fn unsaved_value_as<C: Codec<T>, T>(&self) -> Option<T> {
        self.0.unsaved.as_ref().and_then(|bytes| C::decode(bytes).ok())
    }

    /// Whether the body succeeded and its outcome was not recorded.
    pub fn outcome_is_unsaved(&self) -> bool {
        self.0.finished
    }

    /// The usual HTTP status for this error: 409 in progress (send [`Error::retry_after`] as `Retry-After`) and
    /// already completed, 422 mismatch, 400 missing key part, 410 expired, 503 store, unknown and lost lease,
    /// 500 otherwise.
    pub fn http_status(&self) -> u16 {
        match self.0.kind {
            ErrorKind::InProgress | ErrorKind::AlreadyCompleted | ErrorKind::ValueNotKept => 409,
            ErrorKind::Mismatch => 422,
            ErrorKind::MissingKeyPart => 400,
            ErrorKind::Expired => 410,
            ErrorKind::Store | ErrorKind::Unknown | ErrorKind::LeaseLost | ErrorKind::DeadlineTooNear => 503,
            _ => 500,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &self.0;
        if !inner.operation.is_empty() {
            write!(f, "operation `{}`: ", inner.operation)?;
        }
        f.write_str(&inner.detail)?;
        if let Some(key) = &inner.key {
            write!(f, "; key `{key}`")?;
        }
        if let Some(since) = inner.since {
            write!(f, "; since {since}")?;
        }
        if let Some(until) = inner.until {
            write!(f, "; until {until}")?;
        }
        if let Some(after) = inner.retry_after {
            write!(f, "; retry after {}", humantime::format_duration(after))?;
        }
        if let Some(Source::Store(error)) = &inner.source {
            write!(f, ": {error}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &self.0;
        let mut out = f.debug_struct("Error");
        out.field("kind", &inner.kind).field("operation", &inner.operation);
        out.field("key", &inner.key).field("detail", &inner.detail);
        out.field("since", &inner.since).field("until", &inner.until);
        out.field("retry_after", &inner.retry_after).field("outcome_is_unsaved", &inner.finished);
        match &inner.source {
            Some(Source::Store(error)) => out.field("source", error),
            Some(Source::Other(error)) => out.field("source", error),
            None => out.field("source", &None::<()>),
        };
        out.finish()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.0.source {
            Some(Source::Store(error)) => Some(error),
            Some(Source::Other(error)) => Some(&**error),
            None => None,
        }
    }
}
