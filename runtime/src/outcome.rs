//! How a result is recorded and replayed.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::fingerprint::carried_back;

/// A result that can be recorded and replayed: `Serialize + DeserializeOwned`.
#[diagnostic::on_unimplemented(
    message = "the result `{Self}` of an idempotent operation cannot be recorded and replayed",
    label = "needs `serde::Serialize` and `serde::Deserialize`",
    note = "derive both on the type: `#[derive(serde::Serialize, serde::Deserialize)]`",
    note = "a result without a value is fine: `Result<(), E>`"
)]
pub trait Replayable: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> Replayable for T {}

/// An error type that can carry an [`Error`] of this crate to the caller.
#[diagnostic::on_unimplemented(
    message = "the error type `{Self}` cannot carry an idempotency error",
    label = "needs `From<idempotency::Error>`",
    note = "add `impl From<idempotency::Error> for {Self}`, or a variant with `#[from] idempotency::Error` where thiserror is used"
)]
pub trait CarriesError: From<Error> {}

#[diagnostic::do_not_recommend]
impl<E: From<Error>> CarriesError for E {}

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

/// How the result of an operation is encoded, decoded and mapped for duplicates.
///
/// It carries the bounds on the result, so that the code that runs an operation has none.
pub struct Outcome<T, E> {
    carry: fn(T) -> Carried<T>,
    decode: fn(&[u8]) -> Result<T, serde_json::Error>,
    error: fn(Error) -> E,
    replayed: Option<fn(T) -> T>,
    result: PhantomData<fn() -> (T, E)>,
}

/// A value on its way to the record.
pub(crate) enum Carried<T> {
    /// The value as a replay will give it, and its encoding.
    Kept { value: T, bytes: Arc<[u8]> },
    /// The value as the body gave it: a replay could not give the same.
    NotKept { value: T, encoded: Option<Arc<[u8]>> },
}

impl<T: Replayable, E: CarriesError> Outcome<T, E> {
    /// Results are recorded as JSON.
    pub fn new() -> Self {
        Self {
            carry,
            decode: |bytes| serde_json::from_slice(bytes),
            error: E::from,
            replayed: None,
            result: PhantomData,
        }
    }
}

impl<T: Replayable, E: CarriesError> Default for Outcome<T, E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, E> Outcome<T, E> {
    /// The same; duplicates get what `map` makes of the recorded value, for example a *200 OK* instead of the
    /// *201 Created* of the first call. The record does not change.
    pub fn replayed(mut self, map: fn(T) -> T) -> Self {
        self.replayed = Some(map);
        self
    }

    pub(crate) fn carry(&self, value: T) -> Carried<T> {
        (self.carry)(value)
    }

    pub(crate) fn replay(&self, bytes: &[u8]) -> Result<T, serde_json::Error> {
        let value = (self.decode)(bytes)?;
        Ok(match self.replayed {
            Some(map) => map(value),
            None => value,
        })
    }

    pub(crate) fn error(&self, error: Error) -> E {
        (self.error)(error)
    }
}

impl<T, E> fmt::Debug for Outcome<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcome").field("replayed", &self.replayed.is_some()).finish_non_exhaustive()
    }
}

/// Encodes, decodes again, and compares: JSON cannot carry `Some(None)`, and a result type may serialise what it
/// does not read back.
fn carry<T: Replayable>(value: T) -> Carried<T> {
    let Ok(encoded) = serde_json::to_vec(&value) else {
        return Carried::NotKept { value, encoded: None };
    };
    let bytes: Arc<[u8]> = Arc::from(encoded);
    let decoded = serde_json::from_slice::<T>(&bytes)
        .ok()
        .filter(|decoded| carried_back(&value, decoded).unwrap_or(false));
    match decoded {
        Some(value) => Carried::Kept { value, bytes },
        None => Carried::NotKept { value, encoded: Some(bytes) },
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
