//! Transactions on the connection, the write lock, and what has to be done once it was held.

use std::sync::Arc;
use std::time::Instant;

use idempotency_runtime::StoreError;
use rusqlite::ffi;

use super::super::transaction::Guard;
use super::super::turns::Turns;
use super::Database;

/// After about so many pages the log is worth a look. They are not counted where they are written, but estimated: a row
/// is two to three of them, and a large value has its own.
const RING_EVERY: u64 = 900;
const PAGES_OF_A_ROW: u64 = 3;

impl Database {
    /// When this connection last held the write lock.
    pub(in super::super) fn locked_at(&self) -> Instant {
        self.locked_at
    }

    /// Whether a job that stands in line since `queued` may go on waiting for a lock that another connection
    /// holds. While this connection gets the lock now and then, a long line costs no job its time.
    pub(in super::super) fn may_wait(&self, queued: Instant) -> bool {
        queued.max(self.locked_at).elapsed() < self.busy_timeout
    }

    /// Begins a transaction that the caller ends with [`Database::control`] or [`Database::undo`].
    pub(in super::super) fn begin(&mut self) -> Result<(), StoreError> {
        self.undo()?;
        self.control("BEGIN IMMEDIATE")?;
        let checked = self.same_file.check().and_then(|()| self.check_format());
        if checked.is_err() {
            // The error of the check says more than one of the undoing.
            let _ = self.undo();
        }
        checked
    }

    /// Runs statements that begin and end transactions and savepoints. They are not cached: a caller could prepare the
    /// same text, and a statement from the cache is not looked at by the guard.
    pub(in super::super) fn control(&self, sql: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|error| self.failed(error))
    }

    /// Whether no transaction is open.
    pub(in super::super) fn is_idle(&self) -> bool {
        self.connection.is_autocommit()
    }

    /// Has every statement looked at from now on.
    pub(in super::super) fn guard(&mut self, guard: &Arc<Guard>) -> Result<(), StoreError> {
        let watched = guard.watch(&mut self.connection);
        watched.map_err(|error| self.failed(error))
    }

    pub(in super::super) fn turns(&self) -> &Turns {
        &self.turns
    }

    /// The error for a call that has waited for the lock for too long.
    pub(in super::super) fn is_locked(&self) -> StoreError {
        let locked = ffi::Error::new(ffi::SQLITE_BUSY);
        self.failed(rusqlite::Error::SqliteFailure(locked, None))
    }

    /// Runs `work` under the file's write lock; whatever it wrote is undone if it fails.
    pub(in super::super) fn locked<A>(
        &mut self,
        work: impl FnOnce(&Self) -> Result<A, StoreError>,
    ) -> Result<A, StoreError> {
        // The lock is not even looked at while a transaction of this process waits for it.
        if self.turns.writer_stands_back() {
            return Err(self.is_locked());
        }
        self.undo()?;
        self.execute("BEGIN IMMEDIATE", [])?;
        self.locked_at = Instant::now();
        let answer = self
            .same_file
            .check()
            .and_then(|()| work(self))
            .and_then(|answer| self.execute("COMMIT", []).map(|_| answer));
        if answer.is_ok() {
            self.has_committed();
        }
        if answer.is_err() {
            // The error of the work says more than one of the undoing, which is tried again before the next job.
            let _ = self.undo();
        }
        answer
    }

    /// Rolls back what is open.
    pub(in super::super) fn undo(&self) -> Result<(), StoreError> {
        if self.connection.is_autocommit() {
            return Ok(());
        }
        self.control("ROLLBACK")
    }

    /// To be said after a commit: the log has grown, and may be worth a checkpoint.
    pub(in super::super) fn has_committed(&mut self) {
        let rows = self.connection.total_changes();
        let pages = rows.saturating_mul(PAGES_OF_A_ROW).saturating_add(self.value_pages.get());
        if let Some(bell) = &self.bell
            && pages.saturating_sub(self.rang_at) >= RING_EVERY
        {
            self.rang_at = pages;
            bell.ring();
        }
    }

    /// To be said under the write lock, before the commit: the file must still be the one at its path.
    pub(in super::super) fn has_locked(&mut self, at: Instant) -> Result<(), StoreError> {
        self.locked_at = at;
        self.same_file.check()
    }
}
