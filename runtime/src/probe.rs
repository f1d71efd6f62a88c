//! Finding out what became of an attempt whose outcome is unknown.

use std::fmt;
use std::future::{Ready, ready};
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::key::IdempotencyKey;
use crate::outcome::Outcome;
use crate::record::Epoch;
use crate::time::Timestamp;

/// What was found out about an unknown outcome.
///
/// A probe may also return an error of the operation's own type. If that error is *terminal*
/// ([`Classify`](crate::Classify)), it is what the attempt has failed with: it is recorded and replayed, and the body does
/// not run. With any other error, and with a panic, the outcome stays unknown, and the caller gets the error.
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

/// What an expansion makes of `reconcile`. The bounds are checked where it is made, at the user's tokens, and it needs
/// none where it is used: a function of another type is one error, not one more at the call.
pub struct Asked<P, A, T, E> {
    probe: P,
    ask: fn(&P, UnknownOutcome) -> A,
    poll: Poller<A, T, E>,
}

type Poller<A, T, E> = fn(Pin<&mut A>, &mut Context<'_>) -> Poll<Result<Reconciled<T>, E>>;

impl<P, A, T, E> fmt::Debug for Asked<P, A, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked").finish_non_exhaustive()
    }
}

impl<P, A, T, E> Probe<T, E> for Asked<P, A, T, E> {
    type Asking = Asking<A, T, E>;

    const EXISTS: bool = true;

    fn ask(&self, unknown: UnknownOutcome) -> Self::Asking {
        Asking { future: Box::pin((self.ask)(&self.probe, unknown)), poll: self.poll }
    }
}

/// A future without the bound. Boxed, so that it can be polled; it is asked for rarely.
pub(crate) struct Asking<A, T, E> {
    future: Pin<Box<A>>,
    poll: Poller<A, T, E>,
}

impl<A, T, E> Future for Asking<A, T, E> {
    type Output = Result<Reconciled<T>, E>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let poll = self.poll;
        poll(self.future.as_mut(), context)
    }
}

/// What a probe returns: a future of `Result<Reconciled<T>, E>`.
#[diagnostic::on_unimplemented(
    message = "`reconcile` needs an `async fn` that returns `Result<Reconciled<{T}>, {E}>`",
    label = "returns `{Self}`",
    note = "`async fn find(unknown: UnknownOutcome) -> Result<Reconciled<{T}>, {E}>`, of the operation's own result and error"
)]
pub trait FindsOut<T, E>: Future<Output = Result<Reconciled<T>, E>> {}

#[diagnostic::do_not_recommend]
impl<T, E, A: Future<Output = Result<Reconciled<T>, E>>> FindsOut<T, E> for A {}

/// Checks the function or method that `reconcile` names, at its own place.
pub fn probe<T, E, P, A>(_: &Outcome<T, E>, probe: P) -> Asked<P, A, T, E>
where
    P: Fn(UnknownOutcome) -> A,
    A: FindsOut<T, E>,
{
    Asked { probe, ask: |probe, unknown| probe(unknown), poll: A::poll }
}

/// The same for a closure, whose body is then known to return what the operation does.
pub fn probe_closure<T, E, P, A>(_: &Outcome<T, E>, probe: P) -> Asked<P, A, T, E>
where
    P: Fn(UnknownOutcome) -> A,
    A: Future<Output = Result<Reconciled<T>, E>>,
{
    Asked { probe, ask: |probe, unknown| probe(unknown), poll: A::poll }
}
