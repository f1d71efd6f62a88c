//! What an error of the body says about its effect.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::codec::{Codec, CodecError, JsonCodec};
use crate::error::{Error, ErrorKind};

/// What an error says about the effect of the body that returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// Nothing has happened, and the same call may succeed later: the key is released, and the next call runs the
    /// body.
    Retryable,
    /// The request is answered for good, as with a declined card: the error is recorded, and duplicates get the same
    /// one without running the body.
    Terminal,
    /// The effect may have happened, as after a time-out of a payment provider: the key is held until somebody has
    /// found out.
    Unknown,
}

/// An error type that says what each of its values means for a retry.
///
/// ```
/// use idempotency::{Classify, ErrorClass, TerminalErrors};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, thiserror::Error, Serialize, Deserialize)]
/// enum ChargeError {
///     #[error("the card was declined: {reason}")]
///     Declined { reason: String },
///     #[error("the provider did not answer in time")]
///     TimedOut,
///     #[error(transparent)]
///     #[serde(skip)] // never recorded
///     Idempotency(#[from] idempotency::Error),
/// }
///
/// impl Classify for ChargeError {
///     const TERMINAL: TerminalErrors<Self> = TerminalErrors::recorded();
///
///     fn class(&self) -> ErrorClass {
///         match self {
///             Self::Declined { .. } => ErrorClass::Terminal,
///             Self::TimedOut => ErrorClass::Unknown,
///             Self::Idempotency(error) => error.class(),
///         }
///     }
/// }
/// ```
///
/// An error type without this trait is
/// *retryable*, unless the body has announced its effect ([`effect_begins`](crate::effect_begins)): then it is
/// *unknown*.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what its errors mean for a retry",
    label = "not classified",
    note = "derive it: `#[derive(idempotency::Classify)]`, with `#[retryable]`, `#[terminal]` or `#[unknown]` on each variant",
    note = "for a type of another crate: `#[retryable]` or `#[unknown]` instead of `#[inner]` on the variant that holds it",
    note = "where it is derived, what its type parameters stand for needs serde beside terminal errors, and classes behind `#[inner]`"
)]
pub trait Classify: Sized {
    /// How terminal errors are recorded.
    const TERMINAL: TerminalErrors<Self>;

    /// The class of this value.
    fn class(&self) -> ErrorClass;
}

impl Classify for Error {
    const TERMINAL: TerminalErrors<Self> = TerminalErrors::not_recorded();

    /// Unknown if the operation's own outcome is, for example of an operation that was called by the body; otherwise
    /// the call can be made again.
    fn class(&self) -> ErrorClass {
        if self.kind() == ErrorKind::Unknown || self.outcome_is_unsaved() {
            ErrorClass::Unknown
        } else {
            ErrorClass::Retryable
        }
    }
}

/// How the terminal errors of a type are recorded.
pub struct TerminalErrors<E> {
    codec: Option<ErrorCodec<E>>,
}

struct ErrorCodec<E> {
    encode: fn(&E) -> Option<Arc<[u8]>>,
    decode: fn(&[u8]) -> Result<E, CodecError>,
}

impl<E: Serialize + DeserializeOwned> TerminalErrors<E> {
    /// As JSON, so that duplicates get the same error.
    pub const fn recorded() -> Self {
        Self { codec: Some(ErrorCodec { encode: encode::<E>, decode: <JsonCodec as Codec<E>>::decode }) }
    }
}

/// An error type whose terminal errors can be recorded: `Serialize + DeserializeOwned`.
#[diagnostic::on_unimplemented(
    message = "the terminal errors of `{Self}` cannot be recorded and replayed",
    label = "a terminal error needs `serde::Serialize` and `serde::Deserialize` on its type",
    note = "derive both on the type: `#[derive(serde::Serialize, serde::Deserialize)]`",
    note = "what serde cannot write stands in variants that are not terminal, with `#[serde(skip)]`"
)]
pub trait RecordedError: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<E: Serialize + DeserializeOwned> RecordedError for E {}

/// [`TerminalErrors::recorded`] for `derive(Classify)`.
pub const fn recorded<E: RecordedError>() -> TerminalErrors<E> {
    TerminalErrors::recorded()
}

impl<E> TerminalErrors<E> {
    /// The type has none. Should there be one, duplicates get the error *value not kept*.
    pub const fn not_recorded() -> Self {
        Self { codec: None }
    }
}

impl<E> fmt::Debug for TerminalErrors<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TerminalErrors").field("recorded", &self.codec.is_some()).finish()
    }
}

/// The bytes of an error that comes back from them as it is.
fn encode<E: Serialize + DeserializeOwned>(error: &E) -> Option<Arc<[u8]>> {
    let bytes = <JsonCodec as Codec<E>>::encode(error).ok()?;
    let decoded = <JsonCodec as Codec<E>>::decode(&bytes).ok()?;
    <JsonCodec as Codec<E>>::same(error, &decoded).then(|| Arc::from(bytes))
}

/// The classes of an error type, as an [`Outcome`](super::Outcome) holds them: without its bounds.
pub struct Classes<E> {
    class: fn(&E) -> ErrorClass,
    terminal: TerminalErrors<E>,
}

impl<E: Classify> Classes<E> {
    /// Of a type that has classes.
    pub fn of() -> Self {
        Self { class: E::class, terminal: E::TERMINAL }
    }
}

impl<E> Classes<E> {
    pub(crate) fn class(&self, error: &E) -> ErrorClass {
        (self.class)(error)
    }

    /// The bytes of a terminal error; `None` if it cannot be carried back.
    pub(crate) fn encode(&self, error: &E) -> Option<Arc<[u8]>> {
        self.terminal.codec.as_ref().and_then(|codec| (codec.encode)(error))
    }

    pub(crate) fn decode(&self, bytes: &[u8]) -> Result<E, CodecError> {
        match &self.terminal.codec {
            Some(codec) => (codec.decode)(bytes),
            None => Err(CodecError::new("its error type records no terminal errors any more")),
        }
    }
}

impl<E> fmt::Debug for Classes<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Classes").field("terminal", &self.terminal).finish_non_exhaustive()
    }
}
