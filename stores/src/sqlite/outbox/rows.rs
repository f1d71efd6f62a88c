//! Messages as rows.

use idempotency_runtime::{OwnerToken, StoreError, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::super::error::from_sqlite;
use super::super::row::stored;
use super::super::store::Database;
use super::message::{DeadLetter, MessageId};

/// Added to the file by its first message: most files have none. `AUTOINCREMENT`: the number of a message that was sent is
/// never given again.
///
/// The first line fails in a file that no store has opened, before anything is written.
const CREATE: &str = "
    INSERT OR IGNORE INTO idempotency_meta (name, value) VALUES ('file', random() & 0x7FFFFFFFFFFFFFFF);
    CREATE TABLE idempotency_outbox (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        topic TEXT NOT NULL,
        payload BLOB NOT NULL,
        created_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        not_before INTEGER NOT NULL,
        failed_at INTEGER
    ) STRICT;
    CREATE INDEX idempotency_outbox_waiting ON idempotency_outbox (topic, number) WHERE failed_at IS NULL;
    CREATE INDEX idempotency_outbox_dead ON idempotency_outbox (topic, number) WHERE failed_at IS NOT NULL;
    CREATE TABLE idempotency_outbox_topics (
        topic TEXT NOT NULL PRIMARY KEY,
        dispatcher BLOB NOT NULL,
        lease_until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
";

/// The first message of a topic that waits.
pub(super) struct Waiting {
    pub(super) id: MessageId,
    pub(super) payload: Vec<u8>,
    pub(super) created_at: Timestamp,
    pub(super) attempts: u32,
    pub(super) not_before: Timestamp,
}

fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    row.get::<_, i64>(column).map(|millis| Timestamp::from_millis(millis.cast_unsigned()))
}

fn file(connection: &Connection) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("SELECT value FROM idempotency_meta WHERE name = 'file'")?
        .query_row([], |row| row.get(0))
}

pub(super) fn insert(
    connection: &Connection,
    topic: &str,
    payload: &[u8],
    now: Timestamp,
) -> rusqlite::Result<MessageId> {
    match insert_row(connection, topic, payload, now) {
        Err(error) if has_no_outbox(&error) => {
            connection.execute_batch(CREATE)?;
            insert_row(connection, topic, payload, now)
        }
        inserted => inserted,
    }
}

fn insert_row(
    connection: &Connection,
    topic: &str,
    payload: &[u8],
    now: Timestamp,
) -> rusqlite::Result<MessageId> {
    let insert = "INSERT INTO idempotency_outbox (topic, payload, created_at, attempts, not_before)
        VALUES (?1, ?2, ?3, 0, 0) RETURNING number";
    let number = connection
        .prepare_cached(insert)?
        .query_row(params![topic, payload, stored(now)], |row| row.get(0))?;
    Ok(MessageId { file: file(connection)?, number })
}

/// Whether no message was ever enqueued in the file.
fn has_no_outbox(error: &rusqlite::Error) -> bool {
    error.to_string().contains("no such table: idempotency_outbox")
}

pub(super) fn first(database: &Database, topic: &str) -> Result<Option<Waiting>, StoreError> {
    sqlite(database, |connection| if_any(first_row(connection, topic)))
}

fn first_row(connection: &Connection, topic: &str) -> rusqlite::Result<Option<Waiting>> {
    let first = "SELECT number, payload, created_at, attempts, not_before FROM idempotency_outbox
            WHERE topic = ?1 AND failed_at IS NULL ORDER BY number LIMIT 1";
    let waiting = |row: &Row<'_>| {
        Ok(Waiting {
            id: MessageId { file: file(connection)?, number: row.get(0)? },
            payload: row.get(1)?,
            created_at: time(row, 2)?,
            attempts: row.get(3)?,
            not_before: time(row, 4)?,
        })
    };
    connection.prepare_cached(first)?.query_row([topic], waiting).optional()
}

/// Makes this dispatcher the only one of the topic until then; `false`: another one is.
pub(super) fn hold(
    database: &Database,
    topic: &str,
    dispatcher: OwnerToken,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<bool, StoreError> {
    sqlite(database, |connection| {
        let hold =
            "INSERT INTO idempotency_outbox_topics (topic, dispatcher, lease_until) VALUES (?1, ?2, ?3)
            ON CONFLICT (topic) DO UPDATE SET dispatcher = ?2, lease_until = ?3
            WHERE dispatcher = ?2 OR lease_until < ?4";
        let dispatcher = dispatcher.to_bytes();
        // SQL compares it: a lease without an end must not be stored as a negative number.
        let lease_until = lease_until.min(Timestamp::from_millis(i64::MAX.cast_unsigned()));
        let values = params![topic, dispatcher.as_slice(), stored(lease_until), stored(now)];
        Ok(connection.prepare_cached(hold)?.execute(values)? > 0)
    })
}

/// Lets other dispatchers have the topic.
pub(super) fn let_go(database: &Database, topic: &str, dispatcher: OwnerToken) -> Result<(), StoreError> {
    sqlite(database, |connection| {
        let let_go = "DELETE FROM idempotency_outbox_topics WHERE topic = ?1 AND dispatcher = ?2";
        connection.prepare_cached(let_go)?.execute(params![topic, dispatcher.to_bytes().as_slice()]).map(drop)
    })
}

/// The message was sent, whoever holds the topic now.
pub(super) fn sent(database: &Database, id: MessageId) -> Result<(), StoreError> {
    sqlite(database, |connection| {
        let delete = "DELETE FROM idempotency_outbox WHERE number = ?1";
        connection.prepare_cached(delete)?.execute([id.number]).map(drop)
    })
}

/// The attempt failed. The next one is due then, or the message is given up now.
pub(super) fn failed(
    database: &Database,
    id: MessageId,
    attempt: u32,
    not_before: Timestamp,
    failed_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    sqlite(database, |connection| {
        let failed = "UPDATE idempotency_outbox SET attempts = ?2, not_before = ?3, failed_at = ?4
            WHERE number = ?1 AND attempts < ?2";
        let values = params![id.number, attempt, stored(not_before), failed_at.map(stored)];
        connection.prepare_cached(failed)?.execute(values).map(drop)
    })
}

pub(super) fn dead(database: &Database, topic: &str, limit: usize) -> Result<Vec<DeadLetter>, StoreError> {
    sqlite(database, |connection| if_any(dead_rows(connection, topic, limit)))
}

fn dead_rows(connection: &Connection, topic: &str, limit: usize) -> rusqlite::Result<Vec<DeadLetter>> {
    let dead = "SELECT number, attempts, created_at, failed_at FROM idempotency_outbox
            WHERE topic = ?1 AND failed_at IS NOT NULL ORDER BY number LIMIT ?2";
    let letter = |row: &Row<'_>| {
        Ok(DeadLetter {
            id: MessageId { file: file(connection)?, number: row.get(0)? },
            attempts: row.get(1)?,
            created_at: time(row, 2)?,
            failed_at: time(row, 3)?,
        })
    };
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    connection.prepare_cached(dead)?.query_map(params![topic, limit], letter)?.collect()
}

/// A message of another file is none of this one's.
pub(super) fn redrive(database: &Database, id: MessageId) -> Result<bool, StoreError> {
    change_dead(
        database,
        id,
        "UPDATE idempotency_outbox SET attempts = 0, not_before = 0, failed_at = NULL
        WHERE number = ?1 AND failed_at IS NOT NULL",
    )
}

pub(super) fn discard(database: &Database, id: MessageId) -> Result<bool, StoreError> {
    change_dead(database, id, "DELETE FROM idempotency_outbox WHERE number = ?1 AND failed_at IS NOT NULL")
}

fn change_dead(database: &Database, id: MessageId, sql: &str) -> Result<bool, StoreError> {
    sqlite(database, |connection| {
        let change = || connection.prepare_cached(sql)?.execute([id.number]).map(|changed| changed > 0);
        match file(connection).optional()? {
            Some(file) if file == id.file => if_any(change()),
            _ => Ok(false),
        }
    })
}

fn sqlite<T>(
    database: &Database,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> Result<T, StoreError> {
    work(database.connection()).map_err(|error| from_sqlite(database.path(), error))
}

/// For what looks at an outbox that may not be there.
fn if_any<T: Default>(found: rusqlite::Result<T>) -> rusqlite::Result<T> {
    match found {
        Err(error) if has_no_outbox(&error) => Ok(T::default()),
        found => found,
    }
}
