//! Turns at the file's write lock between the store's own writer and its transactions.
//!
//! SQLite keeps no line at its lock: who looks at the right moment gets it. Within one process these flags do, so that
//! neither a busy writer nor transactions that follow each other shut the other out. Between processes the pauses of
//! [`line`](super::line) are short and random.

use std::fmt;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Shared by the writer and the transactions of one store.
#[derive(Debug, Default)]
pub(super) struct Turns {
    transaction_waits: AtomicBool,
    checkpoint_waits: AtomicBool,
    writer_waits: AtomicBool,
    open: Mutex<Option<Opened>>,
}

/// The transaction that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    pub(super) at: &'static Location<'static>,
    pub(super) since: Instant,
}

impl fmt::Display for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, since } = self;
        write!(f, "a transaction that was opened at {at} {} ms ago", since.elapsed().as_millis())
    }
}

impl Turns {
    /// Whether the writer is to stand back, for a transaction or for the end of a checkpoint.
    pub(super) fn writer_stands_back(&self) -> bool {
        self.transaction_waits.load(Ordering::Relaxed) || self.checkpoint_waits.load(Ordering::Relaxed)
    }

    pub(super) fn set_checkpoint_waits(&self, waits: bool) {
        self.checkpoint_waits.store(waits, Ordering::Relaxed);
    }

    pub(super) fn set_transaction_waits(&self, waits: bool) {
        self.transaction_waits.store(waits, Ordering::Relaxed);
    }

    /// Whether the next transaction is to leave the writer a moment.
    pub(super) fn writer_waits(&self) -> bool {
        self.writer_waits.load(Ordering::Relaxed)
    }

    pub(super) fn set_writer_waits(&self, waits: bool) {
        self.writer_waits.store(waits, Ordering::Relaxed);
    }

    pub(super) fn set_open(&self, opened: Option<Opened>) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = opened;
    }

    /// The transaction of this process that holds the lock, if one does.
    pub(super) fn open(&self) -> Option<Opened> {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
