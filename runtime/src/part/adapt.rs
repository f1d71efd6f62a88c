//! The calls of a key expression: `hash(x)`, `lower(x)`, `trim(x)`, `date(x)`.

use sha2::{Digest as _, Sha256};

use super::{CalendarDate, KeyPart, PartError, PartWriter, push_hex};

/// The part's SHA-256 in hexadecimal digits, for personal data and long values.
pub fn hash<P: KeyPart>(part: P) -> impl KeyPart {
    Hashed(part)
}

/// The part in lower case, by the rules of Unicode.
pub fn lower<P: KeyPart>(part: P) -> impl KeyPart {
    Rewritten { part, rewrite: |text, out| out.push_str(&text.to_lowercase()) }
}

/// The part without white space at its ends.
pub fn trim<P: KeyPart>(part: P) -> impl KeyPart {
    Rewritten { part, rewrite: |text, out| out.push_str(text.trim()) }
}

/// A calendar date, `YYYY-MM-DD`.
pub fn date<D: CalendarDate>(part: D) -> impl KeyPart {
    part
}

struct Hashed<P>(P);

impl<P: KeyPart> KeyPart for Hashed<P> {
    fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
        let mut hasher = Sha256::new();
        let mut written = false;
        self.0.write_part(&mut PartWriter::digest(&mut hasher, &mut written))?;
        // The digest of nothing is a text like any other: without this check a missing part would pass.
        if !written {
            return Err(PartError::Empty);
        }
        let mut text = String::with_capacity(64);
        push_hex(&mut text, &hasher.finalize());
        out.push_str(&text);
        Ok(())
    }
}

struct Rewritten<P> {
    part: P,
    rewrite: fn(&str, &mut PartWriter<'_>),
}

impl<P: KeyPart> KeyPart for Rewritten<P> {
    fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
        let mut text = String::new();
        self.part.write_part(&mut PartWriter::plain(&mut text))?;
        (self.rewrite)(&text, out);
        Ok(())
    }
}
