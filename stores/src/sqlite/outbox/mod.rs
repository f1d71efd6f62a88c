//! The outbox: messages that commit with the rows that they are about, and are sent afterwards.

mod dispatcher;
mod message;
mod rows;

use std::fmt;

use idempotency_runtime::{
    Clock as _, Codec as _, CodecError, JsonCodec, Replayable, StoreError, SystemClock,
};
use rusqlite::Connection;

pub use self::dispatcher::{Dispatched, Dispatcher};
pub use self::message::{DeadLetter, MessageId, OutboxMessage};
use super::SqliteStore;
use super::transaction::{SqliteTransaction, TransactionError};

/// Why a message was not put into the outbox. Nothing was written.
#[derive(Debug)]
#[non_exhaustive]
pub enum EnqueueError {
    /// The payload cannot be written as JSON.
    Codec(CodecError),
    /// The topic is empty or longer than 128 bytes.
    Topic,
    /// SQLite refused it.
    Sqlite(rusqlite::Error),
    /// The transaction is over or cannot be committed.
    Store(StoreError),
}

impl fmt::Display for EnqueueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Codec(error) => write!(f, "the payload of the message cannot be written as JSON: {error}"),
            Self::Topic => f.write_str("a topic has 1 to 128 bytes"),
            Self::Sqlite(error) => fmt::Display::fmt(error, f),
            Self::Store(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl std::error::Error for EnqueueError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Codec(error) => std::error::Error::source(error),
            Self::Topic => None,
            Self::Sqlite(error) => std::error::Error::source(error),
            Self::Store(error) => std::error::Error::source(error),
        }
    }
}

impl From<TransactionError> for EnqueueError {
    fn from(error: TransactionError) -> Self {
        match error {
            TransactionError::Sqlite(error) => Self::Sqlite(error),
            TransactionError::Store(error) => Self::Store(error),
        }
    }
}

impl From<EnqueueError> for TransactionError {
    /// For callers that look no closer: a payload that cannot be written is an error of the statement.
    fn from(error: EnqueueError) -> Self {
        match error {
            EnqueueError::Sqlite(error) => Self::Sqlite(error),
            EnqueueError::Store(error) => Self::Store(error),
            other => Self::Sqlite(rusqlite::Error::ToSqlConversionFailure(Box::new(other))),
        }
    }
}

/// Puts a message into the outbox of the file that the connection is to: for statements within
/// [`SqliteTransaction::run`]. It is sent by a [`Dispatcher`] once the transaction is committed.
pub fn enqueue<T: Replayable>(
    connection: &Connection,
    topic: &str,
    payload: &T,
) -> Result<MessageId, EnqueueError> {
    let payload = JsonCodec::encode(payload).map_err(EnqueueError::Codec)?;
    check_topic(topic)?;
    rows::insert(connection, topic, &payload, SystemClock::new().now()).map_err(EnqueueError::Sqlite)
}

fn check_topic(topic: &str) -> Result<(), EnqueueError> {
    if (1..=128).contains(&topic.len()) { Ok(()) } else { Err(EnqueueError::Topic) }
}

impl SqliteTransaction {
    /// Puts a message into the outbox: it is sent by a [`Dispatcher`] once the transaction is committed, and never if it
    /// is not.
    pub async fn enqueue<T: Replayable>(&self, topic: &str, payload: &T) -> Result<MessageId, EnqueueError> {
        let payload = JsonCodec::encode(payload).map_err(EnqueueError::Codec)?;
        check_topic(topic)?;
        let (topic, now) = (topic.to_owned(), SystemClock::new().now());
        Ok(self.run(move |connection| rows::insert(connection, &topic, &payload, now)).await?)
    }
}

impl SqliteStore {
    /// Sends the messages of a topic.
    pub fn dispatcher(&self, topic: impl Into<String>) -> Dispatcher {
        Dispatcher::new(self.clone(), topic.into())
    }

    /// Messages of a topic that were given up, in the order in which they were enqueued.
    pub async fn dead_letters(&self, topic: &str, limit: usize) -> Result<Vec<DeadLetter>, StoreError> {
        let topic = topic.to_owned();
        self.shared.writer.read(move |database| rows::dead(database, &topic, limit)).await
    }

    /// Lets a message that was given up be sent again, in its old place; `false`: there is none.
    pub async fn redrive(&self, id: MessageId) -> Result<bool, StoreError> {
        let redriven = self.shared.writer.change(move |database| rows::redrive(database, id)).await?;
        self.shared.outbox.notify_waiters();
        Ok(redriven)
    }

    /// Removes a message that was given up; `false`: there is none.
    pub async fn discard(&self, id: MessageId) -> Result<bool, StoreError> {
        self.shared.writer.change(move |database| rows::discard(database, id)).await
    }
}
