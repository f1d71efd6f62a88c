//! What happened to one call of an operation.

use std::borrow::Cow;

use crate::claim::Previous;
use crate::error::ErrorKind;
use crate::key::IdempotencyKey;
use crate::record::Epoch;
use crate::time::Timestamp;

/// How a call was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Disposition {
    /// The body ran, and its value is recorded.
    Executed,
    /// The body ran and succeeded, but its value was too large for the store or could not be carried back: duplicates
    /// get the error *value not kept*, and the body does not run again.
    NotKept,
    /// The body did not run: the recorded value, or the recorded error, was returned.
    Replayed,
    /// The body ran and failed; the next call may run it again.
    Released,
    /// The body ran and failed for good; its error is recorded, and duplicates get it too.
    Failed,
    /// The body ran, and nobody knows whether its effect happened: its error says so, or it ended without a verdict
    /// after it had announced the effect.
    Unknown,
    /// The body did not run: it was found out that the effect of an earlier attempt had happened.
    Reconciled,
    /// The body ran without protection, since the store failed and the operation runs nevertheless, or the store
    /// handle is disabled.
    Unprotected,
    /// The body ran without protection, because the operation only observes.
    Observed {
        /// Whether the call was a duplicate that *protect* would have answered without running the body.
        duplicate: bool,
    },
    /// The call got an [`Error`](crate::Error) of this kind.
    Refused(ErrorKind),
    /// The body panicked; the next call may run it again, unless its effect had been announced or the operation holds
    /// its key after a crash.
    Panicked,
}

/// What happened to one call of an operation; see [`with_reports`](crate::with_reports).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The name of the operation.
    pub operation: Cow<'static, str>,
    /// The key, if it could be built.
    pub key: Option<IdempotencyKey>,
    /// How the call was answered.
    pub disposition: Disposition,
    /// The number of the attempt, from 1, if the body ran under a claim or its value was replayed.
    pub attempt: Option<u32>,
    /// The fencing token, likewise.
    pub epoch: Option<Epoch>,
    /// What the claim was granted over; [`Previous::Abandoned`] is a takeover from a dead owner.
    pub previous: Option<Previous>,
    /// When the outcome became final.
    pub completed_at: Option<Timestamp>,
    /// Until when the outcome is replayed.
    pub expires_at: Option<Timestamp>,
}

impl Report {
    pub(crate) fn new(
        operation: Cow<'static, str>,
        key: Option<IdempotencyKey>,
        disposition: Disposition,
    ) -> Self {
        Self {
            operation,
            key,
            disposition,
            attempt: None,
            epoch: None,
            previous: None,
            completed_at: None,
            expires_at: None,
        }
    }
}
