//! Lints over several functions: the command finds them, and shows them with these codes and pages.

use super::Lint;
use crate::diagnostic::Level;

pub(super) const OPERATION_COLLISION: Lint = Lint::of_the_command(
    "operation-collision",
    Level::Error,
    "two operations of one workspace share a name",
    include_str!("explain/operation-collision.md"),
);

pub(super) const SAME_KEY_OTHER_TTL: Lint = Lint::of_the_command(
    "same-key-other-ttl",
    Level::Warning,
    "two functions share an operation's records on purpose and disagree on TTL or fingerprint",
    include_str!("explain/same-key-other-ttl.md"),
);

pub(super) const UNPROTECTED_EFFECT: Lint = Lint::of_the_command(
    "unprotected-effect",
    Level::Warning,
    "a side effect of the policy's list is called from a function without the attribute",
    include_str!("explain/unprotected-effect.md"),
);

pub(super) const KEY_MADE_AT_CALL: Lint = Lint::of_the_command(
    "key-made-at-call",
    Level::Warning,
    "a call passes a fresh id or a clock value as a part of the key",
    include_str!("explain/key-made-at-call.md"),
);

pub(super) const KEY_CHANGED: Lint = Lint::of_the_command(
    "key-changed",
    Level::Error,
    "the key or the result of an operation differs from the committed lock file",
    include_str!("explain/key-changed.md"),
);
