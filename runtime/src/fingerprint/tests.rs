use serde::Serialize;

use super::*;

mod exclusion;
mod golden;
mod memory;
mod property;
mod refusal;
mod semantics;

type Result<T> = std::result::Result<T, FingerprintError>;

fn fingerprint<T: Serialize + ?Sized>(value: &T) -> Result<Fingerprint> {
    fingerprint_except(value, &[])
}

fn fingerprint_except<T: Serialize + ?Sized>(value: &T, exclusions: &[Exclusion]) -> Result<Fingerprint> {
    let mut builder = FingerprintBuilder::new();
    builder.include(value, exclusions)?;
    Ok(builder.finish())
}

/// The digest in hexadecimal digits: fingerprints do not show themselves.
fn digest<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    fingerprint(value).map(hex)
}

fn hex(fingerprint: Fingerprint) -> String {
    let mut text = String::new();
    crate::part::push_hex(&mut text, &fingerprint.to_bytes()[1..]);
    text
}

/// The typed encoding, which has no public digest, as one.
fn typed_digest<T: Serialize + ?Sized>(value: &T) -> Result<[u8; 32]> {
    typed(value).map(Encoder::finish)
}
