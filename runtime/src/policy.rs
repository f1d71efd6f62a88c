//! What an operation does with duplicates.

use std::time::Duration;

/// What a duplicate does while another call with its key is running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InProgress {
    /// It gets the error *in progress* at once.
    #[default]
    Reject,
    /// It waits for the outcome, at most this long, takes over if the owner dies, and gets the error *in
    /// progress* at the end.
    Wait(Duration),
}

/// What a duplicate of a finished call gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Completed {
    /// The recorded value.
    #[default]
    Replay,
    /// The error *already completed*, which carries no value.
    Reject,
}

/// What a call does when the store cannot be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnStoreError {
    /// It gets the error *store*, and the body does not run.
    #[default]
    Reject,
    /// The body runs without protection, and its result is returned although it cannot be recorded. A record that is
    /// there and cannot be read never runs the body again.
    Run,
}

/// Whether duplicates are kept from running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Duplicates do not run.
    #[default]
    Protect,
    /// Every call runs; duplicates are only counted and logged. For adoption, and for operations that may run
    /// twice.
    Observe,
}
