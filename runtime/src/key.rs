//! The stored form of a key: `[namespace "/"] operation ":" part { "#" part }`.
//!
//! The form is readable in a console and injective: operation and namespace are of a restricted alphabet, parts are
//! never empty, and the characters that structure the form are escaped inside parts.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::part::{KeyPart, PartError, PartWriter, push_hex};

/// The stable identity of one business request, as stores keep it and logs show it.
///
/// Cloning is cheap. At most 512 bytes long.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey(Arc<str>);

impl IdempotencyKey {
    /// The key that a store read back. The text is taken as it is.
    pub fn from_stored(text: &str) -> Self {
        Self(Arc::from(text))
    }

    /// The stored text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IdempotencyKey").field(&self.0).finish()
    }
}

impl AsRef<str> for IdempotencyKey {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for IdempotencyKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// Writes the parts of one key into one string.
///
/// Operation and namespace are expected to be of `[A-Za-z0-9_.-]{1,64}`; that is checked where they are set.
#[derive(Debug)]
pub struct KeyBuilder {
    text: String,
    empty: bool,
}

impl KeyBuilder {
    /// A key of this operation, without parts.
    pub fn new(operation: &str) -> Self {
        let mut text = String::with_capacity(operation.len() + TYPICAL_REST);
        text.push_str(operation);
        text.push(':');
        Self { text, empty: true }
    }

    /// Adds a part. A part that is refused leaves the key as it was.
    pub fn part<P: KeyPart + ?Sized>(&mut self, value: &P) -> Result<(), PartError> {
        let before = self.text.len();
        if !self.empty {
            self.text.push('#');
        }
        let start = self.text.len();
        let written = value.write_part(&mut PartWriter::escaping(&mut self.text));
        match written {
            Ok(()) if self.text.len() > start => {
                self.empty = false;
                Ok(())
            }
            refused => {
                self.text.truncate(before);
                Err(refused.err().unwrap_or(PartError::Empty))
            }
        }
    }

    /// Whether no part was added yet.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// The key, in the namespace of the store that will hold it.
    pub fn finish(self, namespace: Option<&str>) -> IdempotencyKey {
        let Self { mut text, .. } = self;
        if let Some(namespace) = namespace {
            text.insert(0, '/');
            text.insert_str(0, namespace);
        }
        if text.len() > MAX_LEN {
            shorten(&mut text);
        }
        IdempotencyKey(Arc::from(text))
    }
}

/// Keeps a readable beginning and lets a digest of the whole text stand for the rest. A key that was not shortened
/// never contains the `~`.
fn shorten(text: &mut String) {
    let digest = Sha256::digest(text.as_bytes());
    let kept = (0..=KEPT_LEN).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
    text.truncate(kept);
    text.push('~');
    push_hex(text, &digest);
}

/// The longest key: what every supported store takes as a primary key.
const MAX_LEN: usize = 512;
/// How much of a longer text stays readable; leaves room for `~` and 64 hexadecimal digits.
const KEPT_LEN: usize = 440;
/// Room for a namespace and three ordinary parts, so that most keys are written without growing the string.
const TYPICAL_REST: usize = 112;

#[cfg(test)]
mod tests;
