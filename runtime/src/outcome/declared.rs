//! The way between the declared return type of an annotated function and the result that an operation runs with.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::codec::Codec;
use super::error_type::ErrorOf;
use super::{CarriesError, Outcome, Replayable};

/// The declared return type of an annotated function.
#[diagnostic::on_unimplemented(
    message = "an idempotent operation returns a `Result`, not `{Self}`",
    label = "not a `Result`",
    note = "duplicates that cannot be answered get an `idempotency::Error`; return `Result<_, E>` with `E: From<idempotency::Error>`"
)]
pub trait ReturnType<T, E>: Sized {
    /// The value as a result.
    fn into_result(self) -> Result<T, E>;

    /// The result as the declared type.
    fn from_result(result: Result<T, E>) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T, E> ReturnType<T, E> for Result<T, E> {
    fn into_result(self) -> Self {
        self
    }

    fn from_result(result: Self) -> Self {
        result
    }
}

/// The way between the declared return type `R` and the result that an operation runs with.
///
/// It is made where `R: ReturnType` is checked, once, and needs no bound where it is used: a function that returns
/// something else than a `Result` is one error, not one more at every use.
pub struct Declared<R, T, E> {
    into_result: fn(R) -> Result<T, E>,
    from_result: fn(Result<T, E>) -> R,
}

impl<R, T, E> Declared<R, T, E> {
    /// The body as [`Operation::run_as`](crate::Operation::run_as) takes it.
    pub fn body<'a, F: Future<Output = R>>(&self, body: Pin<&'a mut F>) -> Body<'a, F, R, T, E> {
        Body { body, into_result: self.into_result }
    }

    /// The same for a body that outlives the caller.
    pub fn detached<F: Future<Output = R>>(
        &self,
        body: F,
    ) -> impl Future<Output = Result<T, E>> + use<F, R, T, E> {
        let into_result = self.into_result;
        async move { into_result(body.await) }
    }

    /// Asks whether the error type has classes.
    #[allow(clippy::unused_self, reason = "it ties the question to the types of this value")]
    pub fn error_type(&self) -> ErrorOf<R> {
        ErrorOf::new()
    }

    /// What the function returns.
    pub fn value(&self, result: Result<T, E>) -> R {
        (self.from_result)(result)
    }
}

impl<R, T, E> fmt::Debug for Declared<R, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Declared").finish_non_exhaustive()
    }
}

/// A pinned body with its output as a result.
pub struct Body<'a, F, R, T, E> {
    body: Pin<&'a mut F>,
    into_result: fn(R) -> Result<T, E>,
}

impl<F: Future<Output = R>, R, T, E> Future for Body<'_, F, R, T, E> {
    type Output = Result<T, E>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.body.as_mut().poll(context).map(self.into_result)
    }
}

impl<F, R, T, E> fmt::Debug for Body<'_, F, R, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").finish_non_exhaustive()
    }
}

/// The witness that expansions pass to [`Operation::run_as`](crate::Operation::run_as), for the declared return
/// type `R`, and the way back to it.
pub fn outcome<R, T, E>() -> (Outcome<T, E>, Declared<R, T, E>)
where
    R: ReturnType<T, E>,
    T: Replayable,
    E: CarriesError,
{
    (Outcome::new(), Declared { into_result: R::into_result, from_result: R::from_result })
}

/// The same for a result that `C` encodes.
pub fn outcome_with<C, R, T, E>() -> (Outcome<T, E>, Declared<R, T, E>)
where
    C: Codec<T>,
    R: ReturnType<T, E>,
    E: CarriesError,
{
    (Outcome::with_codec::<C>(), Declared { into_result: R::into_result, from_result: R::from_result })
}
