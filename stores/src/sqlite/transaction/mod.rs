//! Transactions as stores: an outcome that commits with the rows that the body writes.

mod begin;
mod guard;
mod handle;
mod lane;
mod open;
mod ticket;

use std::error::Error;
use std::fmt;
use std::panic::resume_unwind;

use idempotency_runtime::{AnyStore, Erase, StoreError};
use rusqlite::Connection;

pub(super) use self::guard::Guard;
use self::handle::Handle;
pub(super) use self::lane::{Queue, start};
use self::open::{Failure, Open};
use self::ticket::Over;
use super::store::Database;

/// A transaction on a SQLite file that is a store as well: an operation with `store = tx` records its claim and its
/// outcome in it, so that the record and the rows that its body writes through [`run`](Self::run) commit or roll back
/// together. Nothing of it is seen by others before [`commit`](Self::commit).
///
/// | event | what becomes of it |
/// |---|---|
/// | the key has an outcome | it is replayed; nothing is written |
/// | the body returns a value | its rows and the outcome stand in the transaction |
/// | the body returns a retryable error, or panics | its rows are undone, and the key is as it was before |
/// | the body returns a terminal error | its rows are undone, and the error is recorded; commit to keep it |
/// | the body is dropped half-way | its rows are undone, and `commit` refuses |
/// | the transaction is committed | all of it is there, after a crash as well |
/// | it is rolled back, dropped, open for too long, or the process dies | nothing of it is there |
///
/// Operations on one transaction run one after the other, or one in the body of another. Nothing waits in it: another
/// owner's claim in progress is an error at once. `effect_begins` and `detached` are errors, and `reconcile` is not
/// asked.
///
/// While it is open nobody else writes to the file, and the leases of other operations on it cannot be renewed. So it is
/// rolled back when it has been open for the store's
/// [`transaction_timeout`](super::SqliteStoreBuilder::transaction_timeout); do slow work before.
#[derive(Debug)]
#[must_use = "a transaction that is dropped is rolled back"]
pub struct SqliteTransaction {
    handle: Handle,
    store: AnyStore,
}

/// Why a transaction, or statements in it, have no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum TransactionError {
    /// SQLite refused one of them, and the transaction goes on without what that one would have done; or it refused the
    /// commit because of a deferred constraint, and nothing of the transaction was applied.
    Sqlite(rusqlite::Error),
    /// The transaction could not be opened or committed, or is over.
    Store(StoreError),
}

impl TransactionError {
    /// The error of the store, if it is not one of the statements.
    pub fn store_error(&self) -> Option<&StoreError> {
        match self {
            Self::Sqlite(_) => None,
            Self::Store(error) => Some(error),
        }
    }

    /// Whether the whole transaction may succeed when it is done again.
    pub fn is_retryable(&self) -> bool {
        self.store_error().is_some_and(StoreError::is_retryable)
    }
}

impl fmt::Display for TransactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(error) => fmt::Display::fmt(error, f),
            Self::Store(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl Error for TransactionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Sqlite(error) => error.source(),
            Self::Store(error) => error.source(),
        }
    }
}

impl From<StoreError> for TransactionError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<rusqlite::Error> for TransactionError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl SqliteTransaction {
    /// Runs statements on the connection of the transaction, on a thread that may block. They are done when this returns;
    /// a call that is dropped before has done them or will, as part of the transaction.
    ///
    /// A failed statement leaves the transaction open, without what it would have done. Statements that begin or end a
    /// transaction are refused; savepoints are not. One that is running when the transaction has been open for the store's
    /// `transaction_timeout` is interrupted.
    ///
    /// An error that is not rusqlite's is a value of the closure, and is taken out by a second `?`:
    ///
    /// ```
    /// # mod idempotency {
    /// #     pub mod store {
    /// #         pub use idempotency_stores::*;
    /// #     }
    /// # }
    /// use idempotency::store::rusqlite::OptionalExtension;
    /// use idempotency::store::{Inserted, RequestHash, SqliteStore, SqliteTransaction, insert_once};
    ///
    /// async fn place(tx: &SqliteTransaction, no: i64) -> Result<Inserted<i64>, Box<dyn std::error::Error>> {
    ///     let hash = RequestHash::of(&no)?;
    ///     let placed = tx.run(move |db| {
    ///         Ok(insert_once(
    ///             db,
    ///             hash,
    ///             |db| db.execute("INSERT INTO orders VALUES (?1, ?2)", (no, hash)).map(|_| no),
    ///             |db| {
    ///                 let found = "SELECT hash, no FROM orders WHERE no = ?1";
    ///                 db.query_row(found, [no], |row| Ok((row.get(0)?, row.get(1)?))).optional()
    ///             },
    ///         ))
    ///     });
    ///     Ok(placed.await??)
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let directory = tempfile::tempdir().unwrap();
    /// # let store = SqliteStore::open(directory.path().join("orders.db")).await?;
    /// let tx = store.begin().await?;
    /// tx.run(|db| db.execute_batch("CREATE TABLE orders (no INTEGER PRIMARY KEY, hash BLOB)")).await?;
    /// assert_eq!(place(&tx, 1001).await?, Inserted::New(1001));
    /// assert_eq!(place(&tx, 1001).await?, Inserted::Existing(1001));
    /// tx.commit().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, TransactionError> {
        let ran = self.handle.ask(move |open, database| open.run(database, work)).await;
        ran.map_err(told)
    }

    /// Makes everything that was done in it durable and visible, at once.
    ///
    /// It refuses, and rolls back, if an operation on it was dropped half-way or has not ended, or if a deferred constraint
    /// of the caller's tables is broken ([`TransactionError::Sqlite`]). An error of the kind
    /// [`Unavailable`](idempotency_runtime::StoreErrorKind::Unavailable) leaves it open whether it is committed: the
    /// next call of the operation tells.
    pub async fn commit(self) -> Result<(), TransactionError> {
        let outbox = self.handle.outbox.clone();
        // Who waits for messages is told by the thread: the caller may be gone when it is committed.
        let commit = move |open: &mut Open, database: &Database| {
            let committed = open.commit(database);
            outbox.notify_waiters();
            committed
        };
        self.handle.ask(commit).await.map_err(told)
    }

    /// Undoes everything that was done in it. So does dropping it, but this waits until others can write again.
    pub async fn rollback(self) {
        let undone = self.handle.ask(|open, database| {
            open.roll_back(database, Over::RolledBack);
            Ok::<_, StoreError>(())
        });
        // If it is over already there is nothing to undo.
        drop(undone.await);
    }

    /// The same transaction with the namespace, clock, skew budget and observer of a handle on its store.
    pub fn with_settings_of(mut self, store: &AnyStore) -> Result<Self, TransactionError> {
        self.store = self.store.clone().with_settings_of(store)?;
        Ok(self)
    }

    /// The transaction as the store of operations, for the builder. What is done through it is part of the transaction,
    /// such as [`AnyStore::mark_completed`].
    pub fn as_store(&self) -> &AnyStore {
        &self.store
    }
}

/// The error for the caller; a panic goes on in it.
fn told(failure: Failure) -> TransactionError {
    match failure {
        Failure::Sqlite(error) => TransactionError::Sqlite(error),
        Failure::Store(error) => TransactionError::Store(error),
        Failure::Panicked(payload) => resume_unwind(payload),
    }
}

impl Drop for SqliteTransaction {
    fn drop(&mut self) {
        if !self.handle.ticket.is_over() {
            self.handle.tell(|open| {
                if let Ok((open, database)) = open {
                    open.roll_back(database, Over::RolledBack);
                }
            });
        }
    }
}

impl From<&SqliteTransaction> for AnyStore {
    fn from(tx: &SqliteTransaction) -> Self {
        tx.store.clone()
    }
}

/// Tells the way from a transaction to a handle from others; see [`Erase`].
#[derive(Debug)]
pub enum IsTransaction {}

#[diagnostic::do_not_recommend]
impl Erase<IsTransaction> for SqliteTransaction {
    fn erase(&self) -> AnyStore {
        self.store.clone()
    }
}
