//! What the store's verbs do on the connection. Everything here runs on the writer's thread.

mod lock;

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use idempotency_runtime::{
    Claim, ClaimRequest, DEFAULT_SKEW_BUDGET, Evict, IdempotencyKey, ListRequest, OwnerWrite, Record, Status,
    StoreError, Timestamp, Written, protocol,
};
use rusqlite::{CachedStatement, Connection, params};

use super::SqliteStoreBuilder;
use super::error::{self, from_sqlite};
use super::keeper::Bell;
use super::row::{self, Columns};
use super::same_file::{Opened, SameFile};
use super::schema;
use super::turns::Turns;

/// A page of keys that begin with a text and come after a key. No text has the byte FF.
const KEYS: &str = "
    SELECT key FROM idempotency_records
    WHERE key >= ?1 AND key < ?1 || CAST(x'FF' AS TEXT) AND key > ?2 AND (?3 IS NULL OR status = ?3)
    ORDER BY key LIMIT ?4";

/// Records that [`Record::is_forgotten`] calls forgotten, for `?1` = now and `?2` = now minus the skew budget. A
/// row with a status that nobody knows is never among them.
const FORGOTTEN: &str = "
    SELECT key FROM idempotency_records
    WHERE retain_until >= 0 AND retain_until < ?1
        AND (status IN ('released', 'completed', 'failed')
            OR (status = 'in_progress' AND announced = 0 AND on_crash = 'rerun'
                AND lease_until BETWEEN 0 AND ?2))
    ORDER BY retain_until LIMIT ?3";

/// The usual size of a page, in bytes.
const PAGE: u64 = 4096;

/// The pages in the log at which SQLite itself makes a checkpoint, whoever commits then.
const UNHEARD: u32 = 16_000;

/// What is kept of a log that begins anew, in bytes: more than it needs if no reader lets it grow.
const LONGEST_KEPT: i64 = 32 * 1024 * 1024;

/// The connection to the file.
pub(super) struct Database {
    connection: Connection,
    /// For messages.
    path: String,
    busy_timeout: Duration,
    /// When the write lock was last held by this connection.
    locked_at: Instant,
    same_file: SameFile,
    turns: Arc<Turns>,
    bell: Option<Bell>,
    /// The pages of large values that this connection has written.
    value_pages: Cell<u64>,
    /// The pages that this connection had written when it last rang.
    rang_at: u64,
}

impl Database {
    /// Opens the file; see [`schema::open`].
    ///
    /// With a bell, checkpoints are left to who hears it.
    pub(super) fn open(
        settings: &SqliteStoreBuilder,
        turns: Arc<Turns>,
        bell: Option<Bell>,
    ) -> Result<Self, StoreError> {
        let (connection, path) = schema::open(settings)?;
        if bell.is_some() {
            // Not in the way of a caller, unless nobody has heard the bell.
            connection
                .pragma_update_and_check(None, "wal_autocheckpoint", UNHEARD, |_| Ok(()))
                .and_then(|()| {
                    connection.pragma_update_and_check(None, "journal_size_limit", LONGEST_KEPT, |_| Ok(()))
                })
                .map_err(|error| from_sqlite(&path, error))?;
        }
        let same_file = SameFile::at(&path, settings.opened);
        let (busy_timeout, locked_at) = (settings.busy_timeout, Instant::now());
        let value_pages = Cell::new(0);
        let rang_at = 0;
        Ok(Self { connection, path, busy_timeout, locked_at, same_file, turns, bell, value_pages, rang_at })
    }

    /// The path of the file, absolute and without links.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The file, for further connections to it.
    pub(super) fn opened(&self) -> Opened {
        self.same_file.opened()
    }

    pub(super) fn claim(&mut self, request: &ClaimRequest) -> Result<Claim, StoreError> {
        self.decide(&request.key, |found| {
            let decision = protocol::claim(found, request);
            (decision.write, decision.answer)
        })
    }

    pub(super) fn write(&mut self, request: &OwnerWrite) -> Result<Written, StoreError> {
        self.decide(&request.key, |found| {
            let decision = protocol::write(found, request);
            (decision.write, decision.answer)
        })
    }

    /// [`Database::claim`] inside a transaction.
    pub(super) fn claim_here(&self, request: &ClaimRequest) -> Result<Claim, StoreError> {
        let decision = protocol::claim(self.load(&request.key)?.as_ref(), request);
        decision.write.map_or(Ok(()), |record| self.save(&record))?;
        Ok(decision.answer)
    }

    /// [`Database::write`] inside a transaction.
    pub(super) fn write_here(&self, request: &OwnerWrite) -> Result<Written, StoreError> {
        let decision = protocol::write(self.load(&request.key)?.as_ref(), request);
        decision.write.map_or(Ok(()), |record| self.save(&record))?;
        Ok(decision.answer)
    }

    /// For the statements of a caller.
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    pub(super) fn inspect(&self, key: &IdempotencyKey) -> Result<Option<Record>, StoreError> {
        self.load(key)
    }

    pub(super) fn list(&self, request: &ListRequest) -> Result<Vec<Record>, StoreError> {
        // One snapshot, so that a page is what it says.
        self.undo()?;
        self.execute("BEGIN", [])?;
        let page = self.list_here(request);
        let ended = self.undo();
        let page = page?;
        ended.map(|()| page)
    }

    /// [`Database::list`] inside a transaction.
    pub(super) fn list_here(&self, request: &ListRequest) -> Result<Vec<Record>, StoreError> {
        let limit = i64::try_from(request.limit).unwrap_or(i64::MAX);
        let after = request.after.as_ref().map_or("", IdempotencyKey::as_str);
        self.page(request.prefix.as_str(), after, request.status.map(Status::as_str), limit)
    }

    fn page(
        &self,
        prefix: &str,
        after: &str,
        status: Option<&str>,
        limit: i64,
    ) -> Result<Vec<Record>, StoreError> {
        let mut statement = self.prepared(KEYS)?;
        let keys = statement
            .query_map(params![prefix, after, status, limit], |row| row.get::<_, String>(0))
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|error| self.failed(error))?;
        let mut records = Vec::with_capacity(keys.len());
        for key in keys {
            records.extend(self.load(&IdempotencyKey::from_stored(&key))?);
        }
        Ok(records)
    }

    /// Does not read the record: an unreadable one can be evicted too.
    pub(super) fn evict(&mut self, request: &Evict) -> Result<bool, StoreError> {
        self.locked(|database| database.evict_here(request))
    }

    /// [`Database::evict`] inside a transaction.
    pub(super) fn evict_here(&self, request: &Evict) -> Result<bool, StoreError> {
        self.check_format()?;
        let delete = "DELETE FROM idempotency_records
            WHERE key = ?1 AND epoch = ?2 AND (?3 IS NULL OR status = ?3)";
        let epoch = request.epoch.get().cast_signed();
        let values = params![request.key.as_str(), epoch, request.status.map(Status::as_str)];
        Ok(self.execute(delete, values)? > 0)
    }

    pub(super) fn purge(&mut self, now: Timestamp, limit: usize) -> Result<usize, StoreError> {
        // Times above 2^63 are stored as negative numbers: no record that carries one is ever forgotten.
        let now = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
        let skew = i64::try_from(DEFAULT_SKEW_BUDGET.as_millis()).unwrap_or(i64::MAX);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let any = self.prepared(FORGOTTEN)?.exists(params![now, now - skew, limit]);
        if !any.map_err(|error| self.failed(error))? {
            return Ok(0);
        }
        self.locked(|database| {
            database.check_format()?;
            let delete = format!("DELETE FROM idempotency_records WHERE key IN ({FORGOTTEN})");
            database.execute(&delete, params![now, now - skew, limit])
        })
    }

    /// A write that changes nothing still goes to the disk.
    pub(super) fn ready(&mut self) -> Result<(), StoreError> {
        self.locked(|database| {
            database.check_format()?;
            database.execute("UPDATE idempotency_meta SET value = value WHERE name = 'format'", [])?;
            Ok(())
        })
    }

    /// Decides on the record as it is; only if that asks for a write, decides again under the write lock.
    fn decide<A>(
        &mut self,
        key: &IdempotencyKey,
        decide: impl Fn(Option<&Record>) -> (Option<Record>, A),
    ) -> Result<A, StoreError> {
        let (write, answer) = decide(self.load(key)?.as_ref());
        if write.is_none() {
            return Ok(answer);
        }
        self.locked(|database| {
            let (write, answer) = decide(database.load(key)?.as_ref());
            if let Some(record) = write {
                database.save(&record)?;
            }
            Ok(answer)
        })
    }

    pub(super) fn save(&self, record: &Record) -> Result<(), StoreError> {
        let value = record.value.as_ref().and_then(|value| value.bytes.as_deref()).unwrap_or_default();
        self.value_pages.update(|pages| pages.saturating_add(value.len() as u64 / PAGE));
        let mut statement = self.prepared(row::SAVE)?;
        row::save(&mut statement, record).map_err(|error| self.failed(error))
    }

    pub(super) fn load(&self, key: &IdempotencyKey) -> Result<Option<Record>, StoreError> {
        let mut statement = self.prepared(row::SELECT)?;
        let mut rows = statement.query([key.as_str()]).map_err(|error| self.failed(error))?;
        let Some(row) = rows.next().map_err(|error| self.failed(error))? else {
            return Err(error::no_format(&self.path));
        };
        let columns = Columns::new(row, key, &self.path);
        schema::check_format(Some(columns.format()?), &self.path)?;
        columns.record()
    }

    fn check_format(&self) -> Result<(), StoreError> {
        schema::require_format(&self.connection, &self.path).map(drop)
    }

    pub(super) fn execute(&self, sql: &str, values: impl rusqlite::Params) -> Result<usize, StoreError> {
        self.prepared(sql)?.execute(values).map_err(|error| self.failed(error))
    }

    fn prepared(&self, sql: &str) -> Result<CachedStatement<'_>, StoreError> {
        self.connection.prepare_cached(sql).map_err(|error| self.failed(error))
    }

    pub(super) fn failed(&self, error: rusqlite::Error) -> StoreError {
        from_sqlite(&self.path, error)
    }
}

#[cfg(test)]
mod tests;
