//! Opening a file: its mode, its tables and their version.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use idempotency_runtime::{StoreError, StoreErrorKind};
use rusqlite::{Connection, MAIN_DB, OpenFlags, OptionalExtension, TransactionBehavior};

use super::error::{self, from_sqlite};
use super::line;
use super::{SqliteStoreBuilder, Synchronous, place, strangers};

/// The version of the tables below. A change of their meaning needs a new number and a migration.
pub(super) const FORMAT: i64 = 1;

/// The first SQLite with `STRICT` tables.
const OLDEST_SQLITE: i32 = 3_037_000;

/// In bytes. Pages of every size are multiples of it, and an empty file is a new database.
const SMALLEST_PAGE: u64 = 512;

/// Times are milliseconds since 1970. Times and epochs above 2^63 ("never") are stored as the negative number of
/// the same 64 bits. `value` stands last, because SQLite walks through it to reach what follows. `WITHOUT ROWID`
/// would save a page per write of small values, and cost twice the room and time from a kilobyte on.
const CREATE: &str = "
    CREATE TABLE idempotency_meta (
        name TEXT NOT NULL PRIMARY KEY,
        value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE idempotency_records (
        key TEXT NOT NULL PRIMARY KEY,
        status TEXT NOT NULL,
        fingerprint BLOB,
        owner BLOB NOT NULL,
        epoch INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        claimed_at INTEGER NOT NULL,
        lease_until INTEGER NOT NULL,
        on_crash TEXT NOT NULL,
        announced INTEGER NOT NULL,
        completed_at INTEGER,
        expires_at INTEGER,
        retain_until INTEGER,
        value_version INTEGER,
        value BLOB
    ) STRICT;
    CREATE INDEX idempotency_records_by_retention ON idempotency_records (retain_until)
        WHERE retain_until IS NOT NULL;
    INSERT INTO idempotency_meta (name, value) VALUES ('format', 1);
";

/// Opens the file and makes it ready for records; also says its path, absolute and without links.
pub(super) fn open(settings: &SqliteStoreBuilder) -> Result<(Connection, String), StoreError> {
    check_library(rusqlite::version_number())?;
    check_path(&settings.path)?;
    let shown = settings.path.display().to_string();
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    match settings.opened {
        // Another file, or a new one, has forgotten every key.
        Some(opened) => opened.check(&settings.path)?,
        None => flags |= OpenFlags::SQLITE_OPEN_CREATE,
    }
    let mut connection = Connection::open_with_flags(plain(&settings.path), flags)
        .map_err(|error| from_sqlite(&shown, error))?;
    let path = absolute(&settings.path)?;
    if !settings.network_file_system {
        place::check(&path)?;
    }
    wait_for_others(settings.busy_timeout, || set_up(&mut connection, settings, &path))?;
    Ok((connection, path))
}

/// Repeats `work` while other connections are in its way.
///
/// SQLite's own waiting does not cover the switch of a new file to WAL, and later jobs wait in line.
fn wait_for_others(
    patience: Duration,
    mut work: impl FnMut() -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let started = Instant::now();
    let mut looked = 0;
    loop {
        match work() {
            Err(error) if error.kind() == StoreErrorKind::Busy && started.elapsed() < patience => {
                looked += 1;
                thread::sleep(line::pause(looked));
            }
            done => return done,
        }
    }
}

fn check_library(version: i32) -> Result<(), StoreError> {
    if version >= OLDEST_SQLITE {
        return Ok(());
    }
    Err(error::misconfigured(format!(
        "this program is linked against SQLite {}, and the store needs 3.37 or newer: update the system's \
         library, or enable the feature `sqlite-bundled`",
        rusqlite::version()
    )))
}

fn check_path(path: &Path) -> Result<(), StoreError> {
    let shown = path.display();
    if path.as_os_str().is_empty() || path == Path::new(":memory:") {
        return Err(error::misconfigured(format!(
            "`{shown}` is not a file: name one, or use `MemoryStore` for records in memory"
        )));
    }
    if path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(error::misconfigured(format!("`{shown}` is a directory: name a file in it")));
    }
    // SQLite takes the rest of a database for a new one if it is shorter than any page, and reads zeros where the
    // last page ends early.
    if path.metadata().is_ok_and(|file| file.len() % SMALLEST_PAGE != 0) {
        return Err(error::no_database(&shown.to_string()));
    }
    let directory = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => return Err(error::misconfigured(format!("`{shown}` is not a file: name one"))),
    };
    if directory.is_dir() {
        return Ok(());
    }
    Err(error::misconfigured(format!(
        "the directory `{}` of the SQLite file `{shown}` does not exist: create it, or correct the path",
        directory.display()
    )))
}

/// A name that SQLite cannot take for a URI, which it may do with one that begins with `file:`.
fn plain(path: &Path) -> PathBuf {
    if path.is_relative() { Path::new(".").join(path) } else { path.to_owned() }
}

fn absolute(path: &Path) -> Result<String, StoreError> {
    let found = path.canonicalize().map_err(|cause| {
        error::misconfigured(format!("the SQLite file `{}` was removed while it was opened", path.display()))
            .with_source(cause)
    })?;
    found.into_os_string().into_string().map_err(|_| {
        error::misconfigured(format!("the path `{}` is not valid Unicode: rename the file", path.display()))
    })
}

/// Can be repeated. The version is checked before anything is changed.
fn set_up(connection: &mut Connection, settings: &SqliteStoreBuilder, path: &str) -> Result<(), StoreError> {
    let sqlite = |error| from_sqlite(path, error);
    strangers::prepare(connection, settings, path)?;
    connection.set_prepared_statement_cache_capacity(32);
    // Not through `busy_timeout`: that needs SQLite 3.44.
    connection.pragma_update_and_check(None, "busy_timeout", 0, |_| Ok(())).map_err(sqlite)?;
    if connection.is_readonly(MAIN_DB).map_err(sqlite)? {
        return Err(error::read_only(path));
    }
    connection.pragma_update(None, "query_only", false).map_err(sqlite)?;
    let known = format(connection, path)?;
    strangers::check(connection, path)?;
    connection.pragma_update_and_check(None, "locking_mode", "NORMAL", |_| Ok(())).map_err(sqlite)?;
    use_write_ahead_log(connection, path)?;
    let level = match settings.synchronous {
        Synchronous::Full => "FULL",
        Synchronous::Normal => "NORMAL",
    };
    connection.pragma_update(None, "synchronous", level).map_err(sqlite)?;
    // Where `fsync` does not reach the disk (macOS), these do; elsewhere they change nothing.
    connection.pragma_update(None, "fullfsync", settings.synchronous == Synchronous::Full).map_err(sqlite)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true).map_err(sqlite)?;
    use_memory(connection, settings).map_err(sqlite)?;
    if let Some(bytes) = settings.max_file_bytes {
        limit_size(connection, bytes).map_err(sqlite)?;
    }
    match known {
        None => create(connection, path),
        Some(_) => migrate(connection, path, MIGRATIONS),
    }
}

fn use_memory(connection: &Connection, settings: &SqliteStoreBuilder) -> rusqlite::Result<()> {
    if let Some(bytes) = settings.cache_bytes {
        // A negative number counts kibibytes.
        let kibibytes = i64::try_from(bytes / 1024).unwrap_or(i64::MAX).max(1);
        connection.pragma_update(None, "cache_size", -kibibytes)?;
    }
    if let Some(bytes) = settings.mmap_bytes {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        // A build without memory maps answers nothing.
        connection.pragma_update_and_check(None, "mmap_size", bytes, |_| Ok(())).optional()?;
    }
    Ok(())
}

fn use_write_ahead_log(connection: &Connection, path: &str) -> Result<(), StoreError> {
    let mode: String = connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
        .map_err(|error| from_sqlite(path, error))?;
    if mode.eq_ignore_ascii_case("wal") {
        return Ok(());
    }
    Err(error::misconfigured(format!(
        "the SQLite file `{path}` cannot be in WAL mode where it is (it stays in mode `{mode}`): move it to a local \
         disk"
    )))
}

fn limit_size(connection: &Connection, bytes: u64) -> rusqlite::Result<()> {
    let page: u32 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    // SQLite takes 32 bits, ignores zero, and raises a limit below the present size to that size.
    let pages = u32::try_from(bytes / u64::from(page)).unwrap_or(u32::MAX - 1).max(1);
    connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))
}

/// The version of the tables, if there are any; an older one is migrated. A newer one is an error.
fn format(connection: &Connection, path: &str) -> Result<Option<i64>, StoreError> {
    let sqlite = |error| from_sqlite(path, error);
    let tables = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'idempotency_meta'";
    if connection.query_row(tables, [], |_| Ok(())).optional().map_err(sqlite)?.is_none() {
        return Ok(None);
    }
    match stored_format(connection).map_err(sqlite)? {
        Some(older) if (1..FORMAT).contains(&older) => Ok(Some(older)),
        found => check_format(found, path).map(Some),
    }
}

/// The version of the tables of a file that has them.
pub(super) fn require_format(connection: &Connection, path: &str) -> Result<i64, StoreError> {
    check_format(stored_format(connection).map_err(|error| from_sqlite(path, error))?, path)
}

/// Refuses a version that this code does not read.
pub(super) fn check_format(found: Option<i64>, path: &str) -> Result<i64, StoreError> {
    match found {
        Some(FORMAT) => Ok(FORMAT),
        Some(newer) if newer > FORMAT => Err(error::newer_format(path, newer, FORMAT)),
        _ => Err(error::no_format(path)),
    }
}

/// What leads from format 1 to 2, from 2 to 3, and so on. Each is done once, in one transaction with the new number; a
/// process of an older version that has the file open is refused from then on, since every read looks at the number.
const MIGRATIONS: &[&str] = &[];

fn migrate(connection: &mut Connection, path: &str, migrations: &[&str]) -> Result<(), StoreError> {
    let sqlite = |error| from_sqlite(path, error);
    for (step, wanted) in migrations.iter().zip(2_i64..) {
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sqlite)?;
        let found = stored_format(&transaction).map_err(sqlite)?;
        // Another process may have been faster.
        if found.is_some_and(|found| found < wanted) {
            transaction.execute_batch(step).map_err(sqlite)?;
            transaction
                .execute("UPDATE idempotency_meta SET value = ?1 WHERE name = 'format'", [wanted])
                .map_err(sqlite)?;
        }
        transaction.commit().map_err(sqlite)?;
    }
    Ok(())
}

fn stored_format(connection: &Connection) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT value FROM idempotency_meta WHERE name = 'format'")?
        .query_row([], |row| row.get(0))
        .optional()
}

fn create(connection: &mut Connection, path: &str) -> Result<(), StoreError> {
    let sqlite = |error| from_sqlite(path, error);
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sqlite)?;
    // Another process may have been faster.
    if format(&transaction, path)?.is_none() {
        transaction.execute_batch(CREATE).map_err(sqlite)?;
    }
    transaction.commit().map_err(sqlite)
}

#[cfg(test)]
mod tests;
