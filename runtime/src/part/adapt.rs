//! The calls of a key expression: `hash(x)`, `lower(x)`, `trim(x)`, `date(x)`.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::{CalendarDate, Classified, Fit, KeyPart, PartError, PartWriter, push_hex};

/// The part's SHA-256 in hexadecimal digits, for personal data and long values.
pub fn hash<P: KeyPart>(part: P) -> Adapted<P> {
    Adapted { part, write: write_hash }
}

/// The part in lower case, by the rules of Unicode.
pub fn lower<P: KeyPart>(part: P) -> Adapted<P> {
    Adapted { part, write: |part, out| rewrite(part, out, |text, out| out.push_str(&text.to_lowercase())) }
}

/// The part without white space at its ends.
pub fn trim<P: KeyPart>(part: P) -> Adapted<P> {
    Adapted { part, write: |part, out| rewrite(part, out, |text, out| out.push_str(text.trim())) }
}

/// A calendar date, `YYYY-MM-DD`.
pub fn date<D: CalendarDate>(part: D) -> Adapted<D> {
    Adapted { part, write: D::write_part }
}

/// The result of a call around a part.
///
/// It is a part whatever it holds: the bound is on the functions that make it, so that rustc reports an unfit part once,
/// at the argument, and not again for every call around it.
pub struct Adapted<P> {
    part: P,
    write: fn(&P, &mut PartWriter<'_>) -> Result<(), PartError>,
}

#[diagnostic::do_not_recommend]
impl<P> Classified for Adapted<P> {
    type Kind = Fit;
}

#[diagnostic::do_not_recommend]
impl<P> KeyPart for Adapted<P> {
    fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
        (self.write)(&self.part, out)
    }
}

/// Shows nothing: the part may be hashed because it should not be seen.
impl<P> fmt::Debug for Adapted<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Adapted").finish_non_exhaustive()
    }
}

fn write_hash<P: KeyPart>(part: &P, out: &mut PartWriter<'_>) -> Result<(), PartError> {
    let mut hasher = Sha256::new();
    let mut written = false;
    part.write_part(&mut PartWriter::digest(&mut hasher, &mut written))?;
    // The digest of nothing is a text like any other: without this check a missing part would pass.
    if !written {
        return Err(PartError::Empty);
    }
    let mut text = String::with_capacity(64);
    push_hex(&mut text, &hasher.finalize());
    out.push_str(&text);
    Ok(())
}

/// Collects the text first: the case of a letter may depend on its neighbours.
fn rewrite<P: KeyPart>(
    part: &P,
    out: &mut PartWriter<'_>,
    write: fn(&str, &mut PartWriter<'_>),
) -> Result<(), PartError> {
    let mut text = String::new();
    part.write_part(&mut PartWriter::plain(&mut text))?;
    write(&text, out);
    Ok(())
}
