//! What the error type of an annotated function is, asked without a bound: whether it has classes, and whether one of
//! them is *unknown*.
//!
//! An expansion calls a method on `&&ErrorOf<R>` with the traits here in scope. Method resolution takes the first that
//! applies: an `impl` for `&ErrorOf`, then one for `&&ErrorOf`, then one for `ErrorOf`.

use std::fmt;
use std::marker::PhantomData;

use super::class::{Classes, Classify};

/// Stands for the declared return type `R`. It is asked of the declared type, which is known, and not of the error type,
/// which would have to be inferred: so a function that returns no `Result` is no second error.
pub struct ErrorOf<R>(PhantomData<fn() -> R>);

impl<R> ErrorOf<R> {
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<R> fmt::Debug for ErrorOf<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ErrorOf").finish()
    }
}

/// What `derive(Classify)` says of a type whatever its type parameters are.
pub trait DerivesClasses {}

/// The same of a type with an `#[unknown]` variant.
pub trait HasUnknown {}

/// The error type has classes.
pub trait WithClasses {
    /// What they are.
    type Classes;

    /// What they are.
    fn error_classes(&self) -> Self::Classes;
}

impl<T, E: Classify> WithClasses for &ErrorOf<Result<T, E>> {
    type Classes = Classes<E>;

    fn error_classes(&self) -> Classes<E> {
        Classes::of()
    }
}

/// The error type would have classes, if its type parameters were others: an error of the compiler, since without
/// classes its terminal errors would silently be run again.
pub trait WantsClasses<E> {
    /// Cannot be called.
    fn error_classes(&self) -> Classes<E>
    where
        E: Classify;
}

impl<T, E: DerivesClasses> WantsClasses<E> for &&ErrorOf<Result<T, E>> {
    fn error_classes(&self) -> Classes<E>
    where
        E: Classify,
    {
        Classes::of()
    }
}

/// The error type has no classes.
pub trait WithoutClasses {
    /// Nothing.
    fn error_classes(&self) -> NoClasses;
}

impl<R> WithoutClasses for ErrorOf<R> {
    fn error_classes(&self) -> NoClasses {
        NoClasses
    }
}

/// No classes: the errors of the type say nothing about the effect.
#[derive(Clone, Copy, Debug)]
pub struct NoClasses;

/// What [`ErrorOf`] has found.
pub trait ErrorClasses<E> {
    /// As an outcome holds it.
    fn into_classes(self) -> Option<Classes<E>>;
}

impl<E> ErrorClasses<E> for Classes<E> {
    fn into_classes(self) -> Option<Self> {
        Some(self)
    }
}

impl<E> ErrorClasses<E> for NoClasses {
    fn into_classes(self) -> Option<Classes<E>> {
        None
    }
}

/// An error of the type can leave an outcome unknown. The call of this method is the warning of a lint; an operation
/// with a way to find out does not make it.
pub trait WithUnknown {
    /// Nothing but the warning.
    #[deprecated(
        note = "an error of this type leaves the outcome unknown, and nothing finds out what became of it
help: `reconcile = find_order`, a function that asks whoever had the effect
note: until then every duplicate gets the error *unknown*; `on_crash = hold` says that a person finds out
note: idempotency lint `unknown-without-reconcile`; allow it with `allow(unknown-without-reconcile, reason = \"…\")`"
    )]
    fn unknown_without_reconcile(&self) {}
}

impl<T, E: HasUnknown> WithUnknown for &ErrorOf<Result<T, E>> {}

/// No error of the type can, as far as it says.
pub trait WithoutUnknown {
    /// Nothing.
    fn unknown_without_reconcile(&self) {}
}

impl<R> WithoutUnknown for ErrorOf<R> {}
