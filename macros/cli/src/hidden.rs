//! What the command could not see.

use serde::Serialize;

use crate::source::Location;

/// Something that was not checked, and why. Never silent.
#[derive(Clone, Debug)]
pub(crate) struct Hidden {
    pub(crate) location: Location,
    pub(crate) reason: Reason,
    /// What is there, and why it could not be seen.
    pub(crate) what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Reason {
    /// The file could not be read or does not parse: the check is incomplete.
    Unreadable,
    /// The file of a module is not there, for example because it is for another platform.
    MissingModule,
    /// Only the compiler knows what a macro makes.
    Macro,
    /// The attribute stands where it has no meaning.
    Misplaced,
}

impl Hidden {
    /// Whether the command must not call the workspace checked.
    pub(crate) fn is_fatal(&self) -> bool {
        self.reason == Reason::Unreadable
    }
}
