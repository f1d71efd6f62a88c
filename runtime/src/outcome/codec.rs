//! How a value becomes bytes and bytes a value.

use std::error::Error as StdError;
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fingerprint::carried_back;

/// Encodes and decodes the results of an operation. Implement it on a type that stands for the encoding.
///
/// A value that does not come back from its bytes as it was is not kept: the record then says *completed, value not
/// kept*, and the body does not run again. A change of the codec needs a new `version` of the operation's result.
///
/// ```
/// use std::time::Duration;
///
/// use idempotency::{Codec, CodecError, Error, Outcome, operation, store::MemoryStore};
///
/// /// A type of another crate, without serde.
/// #[derive(Debug, PartialEq)]
/// struct Receipt(u64);
///
/// struct Decimal;
///
/// impl Codec<Receipt> for Decimal {
///     fn encode(receipt: &Receipt) -> Result<Vec<u8>, CodecError> {
///         Ok(receipt.0.to_string().into_bytes())
///     }
///
///     fn decode(bytes: &[u8]) -> Result<Receipt, CodecError> {
///         let text = std::str::from_utf8(bytes).map_err(CodecError::new)?;
///         Ok(Receipt(text.parse().map_err(CodecError::new)?))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Error> {
/// let store = MemoryStore::new();
/// for _ in 0..2 {
///     let receipt = operation("charge")
///         .part("order_no", &1001)
///         .ttl(Duration::from_secs(7 * 86_400))
///         .store(store.clone())
///         .run_as(Outcome::with_codec::<Decimal>(), async { Ok::<_, Error>(Receipt(12_900)) })
///         .await?;
///     assert_eq!(receipt, Receipt(12_900));
/// }
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not encode the result `{T}`",
    label = "not a codec of `{T}`",
    note = "`JsonCodec` and `MessagePackCodec` (feature `messagepack`) encode what derives `serde::Serialize` and `serde::Deserialize`",
    note = "for another encoding implement `idempotency::Codec<{T}>` for `{Self}`"
)]
pub trait Codec<T> {
    /// The bytes of `value`. Deterministic, unless [`Codec::same`] is implemented too.
    fn encode(value: &T) -> Result<Vec<u8>, CodecError>;

    /// The value of these bytes.
    fn decode(bytes: &[u8]) -> Result<T, CodecError>;

    /// Whether `decoded`, which came back from the bytes of `original`, says the same. Unless implemented, it does if
    /// its own bytes are the same.
    fn same(original: &T, decoded: &T) -> bool {
        match (Self::encode(original), Self::encode(decoded)) {
            (Ok(original), Ok(decoded)) => original == decoded,
            _ => false,
        }
    }
}

/// Why a value could not be encoded or decoded. Its text goes into errors and logs, so it must not quote the value.
pub struct CodecError(Box<dyn StdError + Send + Sync>);

impl CodecError {
    /// An error with this cause, which may be a text.
    pub fn new(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self(cause.into())
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CodecError").field(&self.0.to_string()).finish()
    }
}

impl StdError for CodecError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source()
    }
}

/// JSON, the codec of operations that name none.
///
/// JSON carries everything that serde's data model has but an `Option` in an `Option`, maps whose keys are not text,
/// bytes as such, and floats that are not numbers; results with one of these are not kept.
#[derive(Debug)]
pub enum JsonCodec {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> Codec<T> for JsonCodec {
    fn encode(value: &T) -> Result<Vec<u8>, CodecError> {
        serde_json::to_vec(value).map_err(|error| CodecError::new(without_value(&error)))
    }

    fn decode(bytes: &[u8]) -> Result<T, CodecError> {
        serde_json::from_slice(bytes).map_err(|error| CodecError::new(without_value(&error)))
    }

    fn same(original: &T, decoded: &T) -> bool {
        carried_back(original, decoded).unwrap_or(false)
    }
}

/// What serde found, without the value: of its messages only this one quotes nothing of it.
fn without_value(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.split_once(" at line ") {
        Some((message, _)) if message.starts_with("missing field") => message.to_owned(),
        _ => format!("{:?} error at column {}", error.classify(), error.column()),
    }
}

/// MessagePack with named fields: smaller than JSON, and it carries bytes and maps with keys of any kind.
#[cfg(feature = "messagepack")]
#[derive(Debug)]
pub enum MessagePackCodec {}

#[cfg(feature = "messagepack")]
#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> Codec<T> for MessagePackCodec {
    fn encode(value: &T) -> Result<Vec<u8>, CodecError> {
        rmp_serde::to_vec_named(value)
            .map_err(|_| CodecError::new("the value cannot be written as MessagePack"))
    }

    fn decode(bytes: &[u8]) -> Result<T, CodecError> {
        // Its errors may quote the value.
        rmp_serde::from_slice(bytes)
            .map_err(|_| CodecError::new("the bytes are not MessagePack of this type"))
    }

    fn same(original: &T, decoded: &T) -> bool {
        carried_back(original, decoded).unwrap_or(false)
    }
}
