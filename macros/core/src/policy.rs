//! What a package says about its operations: `[package.metadata.idempotency]` in its `Cargo.toml`.

mod package;
mod read;

use std::collections::BTreeMap;
use std::fmt;

pub(crate) use self::package::{NoPolicy, of_package};

/// The rules of one package; those of a package without the table by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// Whether a manifest was read: the expansion then depends on it, so that an edit is seen by the next build, also one
    /// that adds the table.
    pub declared: bool,
    /// The part that every key holds, unless its attribute says `scope = global`.
    pub tenant: Option<String>,
    /// The TTL of an attribute without one, in milliseconds.
    pub default_ttl: Option<u64>,
    /// The longest TTL that the store or the law permits, in milliseconds.
    pub max_ttl: Option<u64>,
    /// Lints that are errors here.
    pub deny: Vec<String>,
    /// Lints that are silent here.
    pub allow: Vec<String>,
    /// Whether warnings are errors.
    pub deny_warnings: bool,
    /// Functions with effects outside the process, as paths or last segments: `payments::charge`.
    pub side_effects: Vec<String>,
    /// Names added to the lists of the lints, by the name of the list.
    pub names: BTreeMap<String, Vec<String>>,
}

impl Policy {
    /// Reads the text of a `Cargo.toml`; `file` is what an error calls it.
    ///
    /// # Errors
    ///
    /// The text is not TOML, or the table holds unknown keys or bad values: all of them, in the order of their lines.
    pub fn parse(text: &str, file: &str) -> Result<Self, Vec<PolicyError>> {
        read::policy(text).map_err(|mut errors| {
            for error in &mut errors {
                file.clone_into(&mut error.file);
            }
            errors
        })
    }
}

/// What is wrong with a policy: the file, the key, and what to write.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PolicyError {
    /// The file.
    pub file: String,
    /// The line of it, from one.
    pub line: usize,
    /// The key within the table; empty if the file as a whole cannot be read.
    pub key: String,
    /// What is wrong with it.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PolicyError {}

/// The table, as it is written in a `Cargo.toml`.
pub(crate) const TABLE: &str = "[package.metadata.idempotency]";
