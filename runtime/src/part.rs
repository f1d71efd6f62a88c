//! What may be part of a key, and how it is written.

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

mod adapt;
mod behind;
mod date;
mod foreign;
mod integer;
mod kind;

pub use adapt::{date, hash, lower, trim};
pub use behind::fit_behind;
pub use date::CalendarDate;
pub use kind::{Classified, Fit, fit, fit_value};

/// A value that identifies a request and can be part of its key.
///
/// Implemented for strings, integers, `char`, `bool`, `Uuid`, calendar dates, and references and smart pointers to
/// them. Newtypes and fieldless enums derive it.
///
/// An implementation of your own also implements [`Classified`] with `type Kind = Fit`.
///
/// Equal values must write equal text, in every process and every version of the program; values that name different
/// requests must write different text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of an idempotency key",
    label = "not a key part",
    note = "key parts are strings, integers, `char`, `bool`, types that derive `KeyPart`, `Uuid` (feature `uuid`) and calendar dates (features `chrono`, `time`, `jiff`)",
    note = "for a newtype or a fieldless enum: `#[derive(KeyPart)]`; for an `Option`: `x?`; for a map: `x['name']`"
)]
pub trait KeyPart: Classified<Kind = Fit> {
    /// Writes the part's text. Writing nothing means that the part is missing.
    fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError>;
}

/// Why a value cannot be part of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// There is no value: an `Option` without one, or an entry that a map does not have.
    #[error("the key part is absent")]
    Absent,
    /// The part's text is empty: it would not tell two requests apart.
    #[error("the key part is empty")]
    Empty,
    /// The value found at run time is not of a kind that identifies a request.
    #[error("{0}")]
    Unfit(&'static str),
}

impl From<fmt::Error> for PartError {
    fn from(_: fmt::Error) -> Self {
        Self::Unfit("the key part could not be formatted")
    }
}

/// Where a [`KeyPart`] writes its text.
///
/// Takes any text: what has a meaning in the stored form of a key is escaped on the way.
pub struct PartWriter<'a> {
    sink: Sink<'a>,
}

enum Sink<'a> {
    Escaped(&'a mut String),
    Plain(&'a mut String),
    Digest { hasher: &'a mut Sha256, written: &'a mut bool },
}

impl<'a> PartWriter<'a> {
    pub(crate) fn escaping(text: &'a mut String) -> Self {
        Self { sink: Sink::Escaped(text) }
    }

    fn plain(text: &'a mut String) -> Self {
        Self { sink: Sink::Plain(text) }
    }

    fn digest(hasher: &'a mut Sha256, written: &'a mut bool) -> Self {
        Self { sink: Sink::Digest { hasher, written } }
    }

    /// Writes text.
    pub fn push_str(&mut self, text: &str) {
        match &mut self.sink {
            Sink::Escaped(out) => push_escaped(out, text),
            Sink::Plain(out) => out.push_str(text),
            Sink::Digest { hasher, written } => {
                hasher.update(text.as_bytes());
                **written |= !text.is_empty();
            }
        }
    }

    /// Text that is known to need no escape.
    fn push_ascii(&mut self, text: &[u8]) {
        let text = str::from_utf8(text).unwrap_or_default();
        match &mut self.sink {
            Sink::Escaped(out) | Sink::Plain(out) => out.push_str(text),
            Sink::Digest { .. } => self.push_str(text),
        }
    }
}

impl fmt::Write for PartWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

/// Shows nothing of the text: it may be what [`hash`] is there to hide.
impl fmt::Debug for PartWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartWriter").finish_non_exhaustive()
    }
}

/// `#` separates parts and `%` escapes, `~` marks a shortened key, and control characters would break the lines of a
/// log.
fn push_escaped(out: &mut String, text: &str) {
    let mut clean_from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !needs_escape(byte) {
            continue;
        }
        out.push_str(&text[clean_from..at]);
        out.push('%');
        out.push(char::from(UPPER_HEX[usize::from(byte >> 4)]));
        out.push(char::from(UPPER_HEX[usize::from(byte & 0xf)]));
        clean_from = at + 1;
    }
    out.push_str(&text[clean_from..]);
}

const fn needs_escape(byte: u8) -> bool {
    matches!(byte, b'#' | b'%' | b'~' | 0x00..=0x1f | 0x7f)
}

/// Lower-case hexadecimal digits.
pub(crate) fn push_hex(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        out.push(char::from(LOWER_HEX[usize::from(byte >> 4)]));
        out.push(char::from(LOWER_HEX[usize::from(byte & 0xf)]));
    }
}

const UPPER_HEX: &[u8; 16] = b"0123456789ABCDEF";
const LOWER_HEX: &[u8; 16] = b"0123456789abcdef";

#[diagnostic::do_not_recommend]
impl KeyPart for str {
    fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
        out.push_str(self);
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl KeyPart for String {
    fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
        out.push_str(self);
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl KeyPart for char {
    fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
        out.push_str(self.encode_utf8(&mut [0; 4]));
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl KeyPart for bool {
    fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
        out.push_str(if *self { "true" } else { "false" });
        Ok(())
    }
}

macro_rules! pointers {
    ($([$($generics:tt)*] $pointer:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> KeyPart for $pointer {
            fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
                (**self).write_part(out)
            }
        }
    )*};
}

pointers! {
    [P: KeyPart + ?Sized] &P;
    [P: KeyPart + ?Sized] &mut P;
    [P: KeyPart + ?Sized] Box<P>;
    [P: KeyPart + ?Sized] Rc<P>;
    [P: KeyPart + ?Sized] Arc<P>;
    [P: KeyPart + ToOwned + ?Sized] Cow<'_, P>;
}

#[cfg(test)]
mod tests;
