//! How a body or a probe ended, and what is written about it: the one rule for every end.

use super::Attempt;
use crate::record::OnCrash;

/// How a body ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It succeeded; its value is to be recorded.
    Succeeded,
    /// It succeeded; its value is too large or cannot be carried back, so only the success is recorded.
    NotKept,
    /// It failed for good; its error is to be recorded.
    Failed,
    /// It failed for good; its error is too large or cannot be carried back, so only the failure is recorded.
    FailedNotKept,
    /// It failed with an error that says that nothing has happened: the next call may run it again.
    Retryable,
    /// It failed with an error that says that its effect may have happened.
    Unknown,
    /// It failed, and its error says nothing of the kind.
    Unclassified,
    /// It panicked.
    Panicked,
}

/// What a probe has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finding {
    /// The effect happened; its value is to be recorded.
    Applied,
    /// The effect happened; its value is too large or cannot be carried back.
    AppliedNotKept,
    /// The attempt failed for good; its error is to be recorded.
    Failed,
    /// The attempt failed for good; its error is too large or cannot be carried back.
    FailedNotKept,
    /// The effect did not happen.
    NotApplied,
    /// It is not to be found out now.
    StillUnknown,
}

/// The last write of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Completed, with the value.
    Complete,
    /// Completed, without the value.
    CompleteNotKept,
    /// Failed for good, with the error.
    Fail,
    /// Failed for good, without the error.
    FailNotKept,
    /// The next call may run the body.
    Release,
    /// Nobody knows whether the effect happened.
    MarkUnknown,
    /// The unknown outcome is *completed*, with the value.
    ResolveApplied,
    /// The unknown outcome is *completed*, without the value.
    ResolveNotKept,
    /// The unknown outcome is *failed*, with the error.
    ResolveFailed,
    /// The unknown outcome is *failed*, without the error.
    ResolveFailedNotKept,
    /// The effect of the unknown attempt did not happen.
    ResolveNotApplied,
}

impl Ending {
    /// The same for a value that the store does not take; `None` if there is none.
    pub(super) fn without_value(self) -> Option<Self> {
        match self {
            Self::Complete => Some(Self::CompleteNotKept),
            Self::Fail => Some(Self::FailNotKept),
            Self::ResolveApplied => Some(Self::ResolveNotKept),
            Self::ResolveFailed => Some(Self::ResolveFailedNotKept),
            _ => None,
        }
    }
}

impl Attempt {
    /// What is written about a body that has ended. Without a verdict the next call runs the body, unless an
    /// irreversible effect had been announced or the operation holds its key after a crash.
    pub(super) fn settle(&self, verdict: Verdict, announced: bool) -> Ending {
        match verdict {
            Verdict::Succeeded => Ending::Complete,
            Verdict::NotKept => Ending::CompleteNotKept,
            Verdict::Failed => Ending::Fail,
            Verdict::FailedNotKept => Ending::FailNotKept,
            Verdict::Unknown => Ending::MarkUnknown,
            Verdict::Unclassified if announced => Ending::MarkUnknown,
            Verdict::Panicked if announced || self.policy.on_crash == OnCrash::Hold => Ending::MarkUnknown,
            Verdict::Retryable | Verdict::Unclassified | Verdict::Panicked => Ending::Release,
        }
    }
}
