//! What the store's verbs do on the connection. Everything here runs on the writer's thread.

use std::sync::Arc;
use std::time::{Duration, Instant};

use idempotency_runtime::{
    Claim, ClaimRequest, DEFAULT_SKEW_BUDGET, Evict, IdempotencyKey, ListRequest, OwnerWrite, Record, Status,
    StoreError, Timestamp, Written, protocol,
};
use rusqlite::{CachedStatement, Connection, ffi, params};

use super::SqliteStoreBuilder;
use super::error::{self, from_sqlite};
use super::keeper::Bell;
use super::row::{self, Columns};
use super::same_file::SameFile;
use super::schema;
use super::transaction::Guard;
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

/// After so many changed rows the log is worth a look: a row is two to three pages.
const RING_EVERY: u64 = 300;

/// The pages in the log at which SQLite itself makes a checkpoint, whoever commits then.
const UNHEARD: u32 = 16_000;

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
    /// The changes of this connection when it last rang.
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
                .map_err(|error| from_sqlite(&path, error))?;
        }
        let same_file = SameFile::at(&path);
        let (busy_timeout, locked_at) = (settings.busy_timeout, Instant::now());
        Ok(Self { connection, path, busy_timeout, locked_at, same_file, turns, bell, rang_at: 0 })
    }

    /// The path of the file, absolute and without links.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// When this connection last held the write lock.
    pub(super) fn locked_at(&self) -> Instant {
        self.locked_at
    }

    /// Whether a job that stands in line since `queued` may go on waiting for a lock that another connection
    /// holds. While this connection gets the lock now and then, a long line costs no job its time.
    pub(super) fn may_wait(&self, queued: Instant) -> bool {
        queued.max(self.locked_at).elapsed() < self.busy_timeout
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

    /// Begins a transaction that the caller ends with [`Database::control`] or [`Database::undo`].
    pub(super) fn begin(&mut self) -> Result<(), StoreError> {
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
    pub(super) fn control(&self, sql: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|error| self.failed(error))
    }

    /// For the statements of a caller.
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Whether no transaction is open.
    pub(super) fn is_idle(&self) -> bool {
        self.connection.is_autocommit()
    }

    /// Has every statement looked at from now on.
    pub(super) fn guard(&mut self, guard: &Arc<Guard>) -> Result<(), StoreError> {
        let guarded = self.connection.authorizer(Some(guard.authorizer()));
        Hooked::done(guarded).map_err(|error| self.failed(error))
    }

    pub(super) fn turns(&self) -> &Turns {
        &self.turns
    }

    /// The error for a call that has waited for the lock for too long.
    pub(super) fn is_locked(&self) -> StoreError {
        let locked = ffi::Error::new(ffi::SQLITE_BUSY);
        self.failed(rusqlite::Error::SqliteFailure(locked, None))
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
        let mut statement = self.prepared(row::SAVE)?;
        row::save(&mut statement, record).map_err(|error| self.failed(error))
    }

    /// Runs `work` under the file's write lock; whatever it wrote is undone if it fails.
    pub(super) fn locked<A>(
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
    pub(super) fn undo(&self) -> Result<(), StoreError> {
        if self.connection.is_autocommit() {
            return Ok(());
        }
        self.execute("ROLLBACK", []).map(drop)
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

    /// To be said after a commit: the log has grown, and may be worth a checkpoint.
    pub(super) fn has_committed(&mut self) {
        let changes = self.connection.total_changes();
        if let Some(bell) = &self.bell
            && changes.saturating_sub(self.rang_at) >= RING_EVERY
        {
            self.rang_at = changes;
            bell.ring();
        }
    }

    /// To be said under the write lock, before the commit: the file must still be the one at its path.
    pub(super) fn has_locked(&mut self, at: Instant) -> Result<(), StoreError> {
        self.locked_at = at;
        self.same_file.check()
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

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        from_sqlite(&self.path, error)
    }
}

/// What setting a hook gives, in all versions of rusqlite.
trait Hooked {
    fn done(self) -> rusqlite::Result<()>;
}

impl Hooked for rusqlite::Result<()> {
    fn done(self) -> rusqlite::Result<()> {
        self
    }
}

impl Hooked for () {
    fn done(self) -> rusqlite::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use idempotency_runtime::{Change, OwnerToken, RecordedValue, Store};
    use rusqlite::StatementStatus;

    use super::*;
    use crate::SqliteStore;

    /// A claim of a new key and its completion.
    fn execute(database: &mut Database, number: u64) {
        let (owner, now) = (OwnerToken::from_bytes([1; 16]), Timestamp::from_millis(1_000_000));
        let key = IdempotencyKey::from_stored(&format!("go:{number}"));
        let ttl = Duration::from_secs(60);
        let claim = ClaimRequest::new(key.clone(), owner, now, now.plus(ttl), ttl);
        let Ok(Claim::Acquired { epoch, .. }) = database.claim(&claim) else {
            panic!("{key} was not granted");
        };
        let change = Change::Complete(RecordedValue::new(1, Some([7; 100].into())));
        let written = database.write(&OwnerWrite::new(key.clone(), owner, epoch, now, ttl, change));
        assert!(matches!(written, Ok(Written::Applied { .. })));
        assert!(matches!(database.claim(&claim), Ok(Claim::Final(_))));
    }

    #[test]
    fn statements_are_prepared_once() {
        let directory = tempfile::tempdir().unwrap();
        let mut database =
            Database::open(&SqliteStore::builder(directory.path().join("records.db")), Arc::default(), None)
                .unwrap();
        for number in 0..20 {
            execute(&mut database, number);
        }
        for sql in [row::SELECT, row::SAVE, "BEGIN IMMEDIATE", "COMMIT"] {
            let statement = database.prepared(sql).unwrap();
            assert!(statement.get_status(StatementStatus::Run) >= 20, "not used from the cache: {sql}");
            assert_eq!(statement.get_status(StatementStatus::RePrepare), 0, "{sql}");
        }
    }

    #[test]
    fn a_transaction_left_open_by_a_failure_is_undone_before_the_next_job() {
        let directory = tempfile::tempdir().unwrap();
        let mut database =
            Database::open(&SqliteStore::builder(directory.path().join("records.db")), Arc::default(), None)
                .unwrap();
        database.execute("BEGIN IMMEDIATE", []).unwrap();
        execute(&mut database, 1);
    }

    #[tokio::test]
    async fn the_file_is_closed_when_the_last_clone_is_dropped() {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(directory.path().join("records.db")).await.unwrap();
        let clone = store.clone();
        drop(store);
        clone.ready().await.unwrap();
        let log = directory.path().join("records.db-wal");
        assert!(log.exists());
        drop(clone);
        let closed = async {
            while log.exists() {
                tokio::task::yield_now().await;
            }
        };
        assert!(
            tokio::time::timeout(Duration::from_secs(60), closed).await.is_ok(),
            "the file is still open"
        );
    }
}
