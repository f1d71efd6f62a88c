//! A recorded value of an earlier version of the result type.

use std::fmt;

use super::codec::{Codec, CodecError, JsonCodec};

/// A recorded value of an earlier version of the operation's result type, for the function that reads it; see
/// [`Outcome::migrate`](crate::Outcome::migrate).
///
/// ```
/// use idempotency::{CodecError, Error, OldValue, Outcome};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Receipt {
///     cents: u64,
///     currency: String,
/// }
///
/// /// Version 1 had no currency, and was euros.
/// #[derive(Deserialize, Serialize)]
/// struct ReceiptV1 {
///     cents: u64,
/// }
///
/// fn upgrade(old: OldValue<'_>) -> Result<Receipt, CodecError> {
///     let ReceiptV1 { cents } = old.json()?;
///     Ok(Receipt { cents, currency: "EUR".into() })
/// }
///
/// let outcome = Outcome::<Receipt, Error>::new().version(2).migrate(upgrade);
/// ```
#[derive(Clone, Copy)]
pub struct OldValue<'a> {
    version: u32,
    bytes: &'a [u8],
}

impl<'a> OldValue<'a> {
    pub(crate) fn new(version: u32, bytes: &'a [u8]) -> Self {
        Self { version, bytes }
    }

    /// The version that the operation declared when the value was recorded, 1 if it declared none.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The value as it was encoded.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The value, if it is JSON of an `Old`.
    pub fn json<Old: serde::Serialize + serde::de::DeserializeOwned>(&self) -> Result<Old, CodecError> {
        self.decode::<JsonCodec, Old>()
    }

    /// The value, as `C` decodes it.
    pub fn decode<C: Codec<Old>, Old>(&self) -> Result<Old, CodecError> {
        C::decode(self.bytes)
    }
}

impl fmt::Debug for OldValue<'_> {
    /// Shows the length only: payloads stay out of logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OldValue").field("version", &self.version).field("bytes", &self.bytes.len()).finish()
    }
}
