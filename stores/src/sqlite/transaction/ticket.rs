//! What is known of a transaction by everybody who has a handle on it.

use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use idempotency_runtime::{StoreError, StoreErrorKind as Kind};

static NUMBERS: AtomicU64 = AtomicU64::new(1);

/// One transaction, from the call that asks for it to its end.
#[derive(Debug)]
pub(super) struct Ticket {
    /// No other transaction of this process has it.
    pub(super) number: u64,
    /// Where it was asked for.
    pub(super) at: &'static Location<'static>,
    over: Mutex<Option<Over>>,
}

/// How a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Committed,
    RolledBack,
    /// It had been open for this long.
    TimedOut(Duration),
    /// SQLite rolled it back after an error, such as a full disk.
    BySqlite,
    /// Its commit met an error of the disk.
    Uncertain,
}

impl Ticket {
    pub(super) fn new(at: &'static Location<'static>) -> Self {
        Self { number: NUMBERS.fetch_add(1, Ordering::Relaxed), at, over: Mutex::default() }
    }

    /// Notes how it ended; what is noted first stands.
    pub(super) fn end(&self, over: Over) {
        self.over.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(over);
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// The error for a call after the end.
    pub(super) fn ended(&self) -> StoreError {
        let at = self.at;
        let over = *self.over.lock().unwrap_or_else(PoisonError::into_inner);
        let (kind, message) = match over {
            Some(Over::TimedOut(after)) => (
                Kind::RolledBack,
                format!(
                    "the transaction that was opened at {at} was rolled back after {} ms: other writers cannot wait \
                     longer; do slow work before it, or raise the store's `transaction_timeout`",
                    after.as_millis()
                ),
            ),
            Some(Over::BySqlite) => (
                Kind::RolledBack,
                format!(
                    "SQLite has rolled back the transaction that was opened at {at}, after the error that one of its \
                     statements got"
                ),
            ),
            Some(Over::Uncertain) => (
                Kind::Unavailable,
                format!(
                    "the commit of the transaction that was opened at {at} met an error of the disk: all of it was \
                     applied, or nothing; the next call of its operations tells"
                ),
            ),
            Some(Over::Committed) => (
                Kind::Misconfigured,
                format!("the transaction that was opened at {at} is committed: open another one"),
            ),
            Some(Over::RolledBack) | None => (
                Kind::RolledBack,
                format!("the transaction that was opened at {at} is over, and nothing of it was applied"),
            ),
        };
        StoreError::new(kind, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_commit_that_met_an_error_of_the_disk_nothing_is_promised() {
        let ticket = Ticket::new(Location::caller());
        ticket.end(Over::Uncertain);
        ticket.end(Over::RolledBack);
        let error = ticket.ended();
        assert!(error.kind().is_ambiguous(), "{error}");
        assert!(error.to_string().contains("all of it was applied, or nothing"), "{error}");
    }
}
