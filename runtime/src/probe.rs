//! Finding out what became of an attempt whose outcome is unknown.

use std::future::{Ready, ready};
use std::marker::PhantomData;

use crate::key::IdempotencyKey;
use crate::record::Epoch;
use crate::time::Timestamp;

/// What was found out about an unknown outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reconciled<T> {
    /// The effect happened, and this is the operation's result: it is recorded, and the body does not run.
    Applied(T),
    /// The effect did not happen and never will: the body runs.
    NotApplied,
    /// It is not to be found out now; the next duplicate may ask again, once a lease later.
    StillUnknown,
}

/// The attempt whose outcome is unknown, for the function that `reconcile` names.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UnknownOutcome {
    /// The name of the operation.
    pub operation: String,
    /// The key.
    pub key: IdempotencyKey,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// When the attempt was claimed.
    pub since: Timestamp,
    /// The fencing token of whoever finds out; that of the attempt was smaller.
    pub epoch: Epoch,
}

/// A way to find out, or none.
pub(crate) trait Probe<T, E> {
    /// Whether there is one.
    const EXISTS: bool;

    /// The asking. Named, so that it can be required to be `Send`.
    type Asking: Future<Output = Result<Reconciled<T>, E>>;

    /// Asks.
    fn ask(&self, unknown: UnknownOutcome) -> Self::Asking;
}

/// There is none.
pub(crate) struct NoProbe;

impl<T, E> Probe<T, E> for NoProbe {
    type Asking = Ready<Result<Reconciled<T>, E>>;

    const EXISTS: bool = false;

    fn ask(&self, _: UnknownOutcome) -> Self::Asking {
        ready(Ok(Reconciled::StillUnknown))
    }
}

/// A function.
pub(crate) struct ProbeFn<P, F>(P, PhantomData<fn() -> F>);

impl<P, F> ProbeFn<P, F> {
    pub(crate) fn new(ask: P) -> Self {
        Self(ask, PhantomData)
    }
}

impl<T, E, P, F> Probe<T, E> for ProbeFn<P, F>
where
    P: Fn(UnknownOutcome) -> F,
    F: Future<Output = Result<Reconciled<T>, E>>,
{
    type Asking = F;

    const EXISTS: bool = true;

    fn ask(&self, unknown: UnknownOutcome) -> Self::Asking {
        (self.0)(unknown)
    }
}

/// Checks the expression that `reconcile` names, at its own place.
pub fn probe<T, E, P, A>(_: &crate::outcome::Outcome<T, E>, probe: P) -> P
where
    P: Fn(UnknownOutcome) -> A,
    A: Future<Output = Result<Reconciled<T>, E>>,
{
    probe
}
