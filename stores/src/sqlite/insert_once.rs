//! The business-key pattern: a row under a unique constraint is its own idempotency record.

use std::error::Error;
use std::fmt;

use idempotency_runtime::{Fingerprint, FingerprintBuilder, FingerprintError};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, ffi};
use serde::Serialize;

/// What a request asked for, as a digest: a column beside the row that the request made, of type `BLOB`.
///
/// It is the fingerprint that `validate` computes: the order of fields and the width of integers do not count, and an
/// absent field equals one that is `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestHash(Fingerprint);

impl RequestHash {
    /// The hash of a request. An error, if its serialization fails or it holds a number that has no fingerprint (NaN).
    pub fn of<T: Serialize + ?Sized>(request: &T) -> Result<Self, FingerprintError> {
        let mut builder = FingerprintBuilder::new();
        builder.include(request, &[])?;
        Ok(Self(builder.finish()))
    }

    /// The hash of a part of a request, or of one without some fields: see [`FingerprintBuilder`].
    pub fn from_fingerprint(fingerprint: Fingerprint) -> Self {
        Self(fingerprint)
    }
}

impl ToSql for RequestHash {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.0.to_bytes().to_vec()))
    }
}

impl FromSql for RequestHash {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Fingerprint::from_bytes(value.as_blob()?).map(Self).ok_or(FromSqlError::InvalidType)
    }
}

/// A row that is there once, whoever made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted<T> {
    /// This call inserted it.
    New(T),
    /// An earlier call of the same request did.
    Existing(T),
}

impl<T> Inserted<T> {
    /// The row.
    pub fn into_inner(self) -> T {
        match self {
            Self::New(row) | Self::Existing(row) => row,
        }
    }

    /// Whether this call inserted it.
    pub fn is_new(&self) -> bool {
        matches!(self, Self::New(_))
    }
}

/// Why there is no row to return.
#[derive(Debug)]
#[non_exhaustive]
pub enum InsertError {
    /// The row under this key was made by another request. Nothing was written, and nothing of the row is told.
    Mismatch,
    /// A statement failed. Whatever the insertion wrote is undone.
    Sqlite(rusqlite::Error),
}

impl fmt::Display for InsertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch => f.write_str(
                "the key was used for another request: send a repeated request unchanged, or a new one under a new key",
            ),
            Self::Sqlite(_) => f.write_str("the row could not be inserted or read"),
        }
    }
}

impl Error for InsertError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Mismatch => None,
            Self::Sqlite(error) => Some(error),
        }
    }
}

impl From<rusqlite::Error> for InsertError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// Inserts a row under a unique constraint, or returns the row that an earlier call of the same request inserted: all
/// that is needed where the effect *is* the row.
///
/// `insert` writes the row, with `hash` in a column of it, and whatever belongs to it. If a `UNIQUE` constraint or a
/// primary key refuses that, what it has written is undone, and `existing` reads the row that is there and its hash.
/// Another hash is [`InsertError::Mismatch`]; no row means that some other constraint was hit, and the error of `insert`
/// is returned.
///
/// Outside of a transaction it opens one (`BEGIN IMMEDIATE`) and commits it; within one it is a savepoint, and the row
/// commits with the rest.
///
/// ```
/// # mod idempotency {
/// #     pub mod store {
/// #         pub use idempotency_stores::*;
/// #     }
/// # }
/// use idempotency::store::{Inserted, RequestHash, insert_once};
/// use rusqlite::{Connection, OptionalExtension, params};
///
/// #[derive(serde::Serialize)]
/// struct Order {
///     tenant_id: i64,
///     order_no: String,
///     total_cents: i64,
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let connection = Connection::open_in_memory()?;
/// connection.execute_batch(
///     "CREATE TABLE orders (
///         id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, order_no TEXT NOT NULL, total_cents INTEGER NOT NULL,
///         request_hash BLOB NOT NULL, UNIQUE (tenant_id, order_no)
///     )",
/// )?;
/// let place = |order: &Order| {
///     let hash = RequestHash::of(order)?;
///     let placed = insert_once(
///         &connection,
///         hash,
///         |connection| {
///             connection.query_row(
///                 "INSERT INTO orders (tenant_id, order_no, total_cents, request_hash) VALUES (?1, ?2, ?3, ?4)
///                  RETURNING id",
///                 params![order.tenant_id, order.order_no, order.total_cents, hash],
///                 |row| row.get::<_, i64>(0),
///             )
///         },
///         |connection| {
///             connection
///                 .query_row(
///                     "SELECT request_hash, id FROM orders WHERE tenant_id = ?1 AND order_no = ?2",
///                     params![order.tenant_id, order.order_no],
///                     |row| Ok((row.get(0)?, row.get(1)?)),
///                 )
///                 .optional()
///         },
///     )?;
///     Ok::<_, Box<dyn std::error::Error>>(placed)
/// };
/// let order = Order { tenant_id: 1, order_no: "ORD-1".into(), total_cents: 12_900 };
/// assert_eq!(place(&order)?, Inserted::New(1));
/// assert_eq!(place(&order)?, Inserted::Existing(1));
/// assert!(place(&Order { total_cents: 1, ..order }).is_err(), "another order under the same number");
/// # Ok(())
/// # }
/// ```
pub fn insert_once<T>(
    connection: &Connection,
    hash: RequestHash,
    insert: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    existing: impl FnOnce(&Connection) -> rusqlite::Result<Option<(RequestHash, T)>>,
) -> Result<Inserted<T>, InsertError> {
    let mut frame = Frame::open(connection)?;
    let error = match insert(connection) {
        Ok(row) => {
            frame.keep()?;
            return Ok(Inserted::New(row));
        }
        Err(error) => error,
    };
    // `INSERT OR ROLLBACK` has ended the transaction: nothing is left to go on with.
    if !is_taken(&error) || connection.is_autocommit() {
        return Err(error.into());
    }
    // Its own half-written row must not be taken for one that was there before.
    frame.undo_work()?;
    match existing(connection)? {
        Some((found, row)) if found == hash => Ok(Inserted::Existing(row)),
        Some(_) => Err(InsertError::Mismatch),
        None => Err(error.into()),
    }
}

/// Whether a unique constraint refused the row. `ON CONFLICT DO NOTHING` with `RETURNING` says so with no row.
fn is_taken(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    matches!(
        code,
        Some(
            ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID
        )
    ) || matches!(error, rusqlite::Error::QueryReturnedNoRows)
}

/// The savepoint of the insertion, and the transaction around it if the caller has none. Undone when it is dropped.
struct Frame<'c> {
    connection: &'c Connection,
    is_nested: bool,
    is_open: bool,
}

impl<'c> Frame<'c> {
    /// A transaction takes the write lock first: one that reads before it writes is refused when another writer was
    /// faster, however long it would wait.
    fn open(connection: &'c Connection) -> rusqlite::Result<Self> {
        let mut frame = Self { connection, is_nested: !connection.is_autocommit(), is_open: false };
        if !frame.is_nested {
            connection.execute_batch("BEGIN IMMEDIATE")?;
        }
        frame.is_open = true;
        connection.execute_batch("SAVEPOINT idempotency_insert_once")?;
        Ok(frame)
    }

    fn keep(&mut self) -> rusqlite::Result<()> {
        self.connection.execute_batch("RELEASE idempotency_insert_once")?;
        if !self.is_nested {
            self.connection.execute_batch("COMMIT")?;
        }
        self.is_open = false;
        Ok(())
    }

    fn undo_work(&self) -> rusqlite::Result<()> {
        self.connection.execute_batch("ROLLBACK TO idempotency_insert_once")
    }
}

impl Drop for Frame<'_> {
    fn drop(&mut self) {
        // An error that has ended the transaction has undone everything already.
        if !self.is_open || self.connection.is_autocommit() {
            return;
        }
        let undo = if self.is_nested {
            "ROLLBACK TO idempotency_insert_once; RELEASE idempotency_insert_once"
        } else {
            "ROLLBACK"
        };
        // The caller gets the error that led here, which says more than one of the undoing.
        let _ = self.connection.execute_batch(undo);
    }
}

#[cfg(test)]
mod tests;
