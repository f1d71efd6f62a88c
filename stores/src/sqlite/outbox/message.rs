//! Messages of the outbox.

use std::fmt;

use idempotency_runtime::Timestamp;

/// Which message: the file that it was enqueued in, and its number there. No other message ever has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageId {
    pub(super) file: i64,
    pub(super) number: i64,
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}-{}", self.file, self.number)
    }
}

/// A message on its way.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OutboxMessage<T> {
    /// Which message. Its text is the key to hand to whoever receives it: the same at every attempt, so that a message
    /// that arrives twice can be told.
    pub id: MessageId,
    /// The topic.
    pub topic: String,
    /// What it says.
    pub payload: T,
    /// The number of this attempt, from 1.
    pub attempt: u32,
    /// When it was enqueued.
    pub created_at: Timestamp,
}

/// A message that was given up: it was tried as often as the dispatcher said.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeadLetter {
    /// Which message; for [`SqliteStore::redrive`](super::SqliteStore::redrive).
    pub id: MessageId,
    /// How often it was tried.
    pub attempts: u32,
    /// When it was enqueued.
    pub created_at: Timestamp,
    /// When it was given up.
    pub failed_at: Timestamp,
}
