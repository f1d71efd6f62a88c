//! Fingerprints: whether two calls with one key ask for the same thing.
//!
//! A fingerprint is the SHA-256 of a typed, canonical encoding of what the value serializes as. It does not depend on
//! the order of fields and entries or on the width of integers, and a field that is `null` equals one that is absent,
//! so that a new optional field does not change the fingerprints of requests that do not use it.

use std::fmt;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

mod compound;
mod encoder;
mod exclude;
mod map_key;
mod scratch;
mod serializer;
mod volatile;
mod watch;

pub use exclude::Exclusion;

use encoder::{Encoder, Mode};
use volatile::Volatile;

/// What `validate` selects of a call, as a digest. Compared in constant time; never shown.
#[derive(Clone, Copy)]
pub struct Fingerprint {
    version: u8,
    digest: [u8; 32],
}

impl Fingerprint {
    /// The version of the encoding, then the digest.
    pub fn to_bytes(&self) -> [u8; 33] {
        let mut bytes = [self.version; 33];
        bytes[1..].copy_from_slice(&self.digest);
        bytes
    }

    /// The fingerprint that a store read back; `None` when the length is not that of a fingerprint.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&version, digest) = bytes.split_first()?;
        Some(Self { version, digest: digest.try_into().ok()? })
    }
}

impl PartialEq for Fingerprint {
    fn eq(&self, other: &Self) -> bool {
        (self.version.ct_eq(&other.version) & self.digest.ct_eq(&other.digest)).into()
    }
}

impl Eq for Fingerprint {}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fingerprint(..)")
    }
}

/// Computes a [`Fingerprint`] of one or several values.
pub struct FingerprintBuilder {
    encoder: Encoder,
}

impl FingerprintBuilder {
    /// A fingerprint of nothing yet.
    pub fn new() -> Self {
        Self { encoder: Encoder::new(Mode::Fingerprint, FINGERPRINT_DOMAIN) }
    }

    /// Looks at the names of the fields that are compared; see [`Self::volatile_name`]. Costs an allocation per field.
    pub(crate) fn look_at_names(&mut self) {
        self.encoder.volatile = Volatile::Looking;
    }

    /// The first field that is compared and looks as if it changed with every request.
    pub(crate) fn volatile_name(&self) -> Option<&str> {
        match &self.encoder.volatile {
            Volatile::Found(name) => Some(name),
            Volatile::Ignored | Volatile::Looking => None,
        }
    }

    /// Adds a value, without the fields that are excluded. Values count by position.
    ///
    /// A value that is refused leaves the fingerprint as it was.
    pub fn include<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
        exclusions: &[Exclusion],
    ) -> Result<(), FingerprintError> {
        self.encoder.include(value, exclusions)
    }

    /// The fingerprint of what was included.
    pub fn finish(self) -> Fingerprint {
        Fingerprint { version: VERSION, digest: self.encoder.finish() }
    }
}

impl Default for FingerprintBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for FingerprintBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FingerprintBuilder").finish_non_exhaustive()
    }
}

/// Whether a codec has carried a value back unchanged. Other than in a fingerprint, `Some` is always told from what
/// it holds, and a `null` field from an absent one.
pub(crate) fn carried_back<T: Serialize + ?Sized>(value: &T, decoded: &T) -> Result<bool, FingerprintError> {
    Ok(typed(value)?.same(typed(decoded)?))
}

fn typed<T: Serialize + ?Sized>(value: &T) -> Result<Encoder, FingerprintError> {
    let mut encoder = Encoder::new(Mode::Typed, TYPED_DOMAIN);
    encoder.include(value, &[])?;
    Ok(encoder)
}

/// Why no fingerprint could be computed. No message quotes a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FingerprintError {
    /// NaN is not equal to itself, so that two identical requests would not match.
    #[error("a floating-point number is NaN, which equals no other request")]
    NotANumber,
    /// A map key without a text form.
    #[error("a map key is neither a string, an integer, a `bool`, a `char` nor a unit variant")]
    UnsupportedMapKey,
    /// An excluded field was not met while the value was serialized.
    #[error("the exclusion of `{path}` matched nothing: the field is not serialized, or under another name")]
    ExclusionMatchedNothing {
        /// The field's path within the included value.
        path: String,
    },
    /// An implementation of `Serialize` returned an error. Its message may quote the value and is not kept.
    #[error("the `Serialize` implementation of `{type_name}` refused the value")]
    Refused {
        /// The type whose implementation it was.
        type_name: &'static str,
    },
}

impl FingerprintError {
    /// Fills in the innermost type that was being serialized.
    fn within<T: ?Sized>(self) -> Self {
        match self {
            Self::Refused { type_name: "" } => Self::Refused { type_name: std::any::type_name::<T>() },
            other => other,
        }
    }
}

impl serde::ser::Error for FingerprintError {
    fn custom<M: fmt::Display>(_message: M) -> Self {
        Self::Refused { type_name: "" }
    }
}

fn digest_in(domain: &[u8]) -> Sha256 {
    Sha256::new_with_prefix(domain)
}

/// The version of the encoding. It is part of the digest and stored beside it.
const VERSION: u8 = 1;
const FINGERPRINT_DOMAIN: &[u8] = b"idempotency fingerprint 1\0";
const TYPED_DOMAIN: &[u8] = b"idempotency typed digest 1\0";

#[cfg(test)]
mod tests;
