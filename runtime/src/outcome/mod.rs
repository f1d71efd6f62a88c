//! How a result is recorded and replayed.

mod class;
mod codec;
mod declared;
mod error_type;
mod old_value;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use self::class::{Classes, Classify, ErrorClass, RecordedError, TerminalErrors, recorded};
#[cfg(feature = "messagepack")]
pub use self::codec::MessagePackCodec;
pub use self::codec::{Codec, CodecError, JsonCodec};
pub use self::declared::{ReturnType, outcome, outcome_with};
pub use self::error_type::{
    DerivesClasses, ErrorClasses, ErrorOf, HasUnknown, WantsClasses, WithClasses, WithUnknown,
    WithoutClasses, WithoutUnknown,
};
pub use self::old_value::OldValue;
use crate::error::Error;

/// The version of a result type that declares none.
pub(crate) const FIRST_VERSION: u32 = 1;

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

/// How the result of an operation is encoded, decoded and mapped for duplicates, and what its errors mean.
///
/// It carries the bounds on the result, so that the code that runs an operation has none.
pub struct Outcome<T, E> {
    carry: fn(T) -> Carried<T>,
    decode: fn(&[u8]) -> Result<T, CodecError>,
    error: fn(Error) -> E,
    replayed: Option<fn(T) -> T>,
    version: u32,
    migrate: Option<Migrate<T>>,
    classes: Option<Classes<E>>,
    result: PhantomData<fn() -> (T, E)>,
}

/// Reads a value of an earlier version.
type Migrate<T> = fn(OldValue<'_>) -> Result<T, CodecError>;

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
        Self::with_codec::<JsonCodec>()
    }
}

impl<T: Replayable, E: CarriesError> Default for Outcome<T, E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, E: CarriesError> Outcome<T, E> {
    /// Results are recorded as `C` encodes them.
    pub fn with_codec<C: Codec<T>>() -> Self {
        Self {
            carry: carry::<C, T>,
            decode: C::decode,
            error: E::from,
            replayed: None,
            version: FIRST_VERSION,
            migrate: None,
            classes: None,
            result: PhantomData,
        }
    }
}

impl<T, E: Classify> Outcome<T, E> {
    /// The same; errors are recorded, or release the key, or hold it, as they say of themselves.
    pub fn classified(self) -> Self {
        self.with_classes(Classes::of())
    }
}

impl<T, E> Outcome<T, E> {
    /// The same; duplicates get what `map` makes of the recorded value, for example a *200 OK* instead of the
    /// *201 Created* of the first call. The record does not change.
    pub fn replayed(mut self, map: fn(T) -> T) -> Self {
        self.replayed = Some(map);
        self
    }

    /// The same for version `version` of the result type, from 1. A recorded value of another version is the error
    /// *codec* for a duplicate, unless it is older and [`Outcome::migrate`] reads it.
    pub fn version(mut self, version: u32) -> Self {
        self.version = version;
        self
    }

    /// The same; recorded values of earlier versions are read by `migrate`.
    pub fn migrate(mut self, migrate: fn(OldValue<'_>) -> Result<T, CodecError>) -> Self {
        self.migrate = Some(migrate);
        self
    }

    #[doc(hidden)]
    pub fn with_classes(mut self, classes: impl ErrorClasses<E>) -> Self {
        self.classes = classes.into_classes();
        self
    }

    /// The version of the values that are recorded.
    pub(crate) fn own_version(&self) -> u32 {
        self.version
    }

    pub(crate) fn classes(&self) -> Option<&Classes<E>> {
        self.classes.as_ref()
    }

    pub(crate) fn carry(&self, value: T) -> Carried<T> {
        (self.carry)(value)
    }

    /// The value for a duplicate, from one that was recorded as `version`.
    pub(crate) fn replay(&self, version: u32, bytes: &[u8]) -> Result<T, CodecError> {
        let value = match self.migrate {
            _ if version == self.version => (self.decode)(bytes)?,
            Some(migrate) if version < self.version => migrate(OldValue::new(version, bytes))?,
            _ => {
                let message = format!("it is of version {version}, this code reads version {}", self.version);
                return Err(CodecError::new(message));
            }
        };
        Ok(match self.replayed {
            Some(map) => map(value),
            None => value,
        })
    }

    /// The way from this crate's error to the operation's.
    pub(crate) fn error_of(&self) -> fn(Error) -> E {
        self.error
    }

    pub(crate) fn error(&self, error: Error) -> E {
        (self.error)(error)
    }
}

impl<T, E> fmt::Debug for Outcome<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Outcome");
        out.field("version", &self.version).field("replayed", &self.replayed.is_some());
        out.field("classes", &self.classes).finish_non_exhaustive()
    }
}

/// Encodes, decodes again, and compares: JSON cannot carry `Some(None)`, and a result type may serialise what it
/// does not read back.
fn carry<C: Codec<T>, T>(value: T) -> Carried<T> {
    let Ok(encoded) = C::encode(&value) else {
        return Carried::NotKept { value, encoded: None };
    };
    let bytes: Arc<[u8]> = Arc::from(encoded);
    let decoded = C::decode(&bytes).ok().filter(|decoded| C::same(&value, decoded));
    match decoded {
        Some(value) => Carried::Kept { value, bytes },
        None => Carried::NotKept { value, encoded: Some(bytes) },
    }
}
