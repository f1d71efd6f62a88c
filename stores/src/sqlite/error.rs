//! What SQLite's errors mean to a caller, and what to do about them.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

use idempotency_runtime::{Change, IdempotencyKey, OwnerWrite, StoreError, StoreErrorKind as Kind};
use rusqlite::{ErrorCode, ffi};

/// An error of SQLite on the file at `path`.
pub(super) fn from_sqlite(path: &str, error: rusqlite::Error) -> StoreError {
    use rusqlite::Error;
    let (kind, what) = match &error {
        Error::SqliteFailure(failure, _) if failure.code == ErrorCode::CannotOpen => {
            return cannot_open(path, error);
        }
        Error::SqliteFailure(failure, _) => meaning(failure.code, failure.extended_code),
        // The store's statements are always the same: they do not fit the tables, or a trigger leaves them out, or a
        // column is of another type. For the first, versions of rusqlite have names of their own.
        _ => (Kind::Corrupt, ALTERED),
    };
    StoreError::new(kind, format!("the SQLite file `{path}` {what}")).with_source(error)
}

fn meaning(code: ErrorCode, extended: i32) -> (Kind, &'static str) {
    match code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => (
            Kind::Busy,
            "is locked by another connection for longer than the busy timeout; nothing was written: retry, and \
             look for a transaction that is held open",
        ),
        ErrorCode::DiskFull => (Kind::Full, FULL),
        // The index of the write-ahead log could not grow: in practice always for want of room.
        ErrorCode::SystemIoFailure if extended == ffi::SQLITE_IOERR_SHMSIZE => (Kind::Full, FULL),
        ErrorCode::SystemIoFailure => (
            Kind::Unavailable,
            "could not be read or written by the operating system; the write may or may not have been applied: \
             check the disk",
        ),
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::AuthorizationForStatementDenied => {
            (Kind::ReadOnly, READ_ONLY)
        }
        ErrorCode::NotADatabase => (Kind::Corrupt, NO_DATABASE),
        ErrorCode::DatabaseCorrupt => (Kind::Corrupt, DAMAGED),
        ErrorCode::TooBig => (Kind::TooLarge, "does not take a record of this size"),
        ErrorCode::OutOfMemory => (Kind::Other, "could not be used for want of memory; nothing was written"),
        ErrorCode::Unknown | ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch => {
            (Kind::Corrupt, ALTERED)
        }
        _ => (Kind::Other, "failed"),
    }
}

const NO_DATABASE: &str = "is not a SQLite database, or it is damaged: name another file, or restore it from a \
     backup; a new file would forget every key and run retries again";

const DAMAGED: &str = "is damaged: restore it from a backup or save what can be read with `sqlite3 FILE .recover`; \
     a new file would forget every key and run retries again";

const ALTERED: &str = "does not have the tables of this store as this crate made them: undo what changed them, or \
     restore the file from a backup";

const FULL: &str = "has no room for another record; nothing was written: make room on the disk, raise the store's \
     `max_file_bytes`, or purge";

const READ_ONLY: &str = "may not be written: give this process write permission on the file and on its \
     directory, where SQLite keeps the `-wal` and `-shm` files";

/// The error for a file whose size no database has.
pub(super) fn no_database(path: &str) -> StoreError {
    StoreError::new(Kind::Corrupt, format!("the SQLite file `{path}` {NO_DATABASE}"))
}

/// The error for a file that was opened for reading only.
pub(super) fn read_only(path: &str) -> StoreError {
    StoreError::new(Kind::ReadOnly, format!("the SQLite file `{path}` {READ_ONLY}"))
}

/// The error for a file, or one of its companions, that SQLite could not open or create.
///
/// SQLite does not say why; creating a file of another name in the same directory does.
fn cannot_open(path: &str, error: rusqlite::Error) -> StoreError {
    let refused = match create_beside(Path::new(path)) {
        Ok(()) => {
            return StoreError::new(
                Kind::Misconfigured,
                format!(
                    "the SQLite file `{path}` cannot be opened: check the path and the file's permissions"
                ),
            )
            .with_source(error);
        }
        Err(refused) => refused,
    };
    let (kind, what) = match refused.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => (Kind::ReadOnly, READ_ONLY),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => (Kind::Full, FULL),
        _ if is_out_of_descriptors(&refused) => {
            (Kind::Unavailable, "cannot be opened: this process has too many files open")
        }
        _ => (Kind::Misconfigured, "cannot be created where it shall be: use a directory on a local disk"),
    };
    StoreError::new(kind, format!("the SQLite file `{path}` {what}")).with_source(refused)
}

/// EMFILE and ENFILE, which have no kind of their own.
fn is_out_of_descriptors(error: &io::Error) -> bool {
    cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24))
}

/// Never opens the database file itself: closing it would release the locks of this process's connections.
fn create_beside(path: &Path) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!("-probe-{}", std::process::id()));
    OpenOptions::new().write(true).create_new(true).open(&name)?;
    std::fs::remove_file(&name)
}

/// The error for a file whose tables a newer version of this crate has written.
pub(super) fn newer_format(path: &str, found: i64, supported: i64) -> StoreError {
    StoreError::new(
        Kind::NewerFormat,
        format!(
            "the SQLite file `{path}` has records of format {found}, and this version of the crate reads up to \
             format {supported}: upgrade the crate; nothing was read or written"
        ),
    )
}

/// The error for a file that has the table of versions, but no version that was ever written.
pub(super) fn no_format(path: &str) -> StoreError {
    StoreError::new(
        Kind::Corrupt,
        format!(
            "the SQLite file `{path}` does not say which format its records have: the table `idempotency_meta` \
             was changed; restore the file from a backup"
        ),
    )
}

/// The error for a record that cannot be read. `found` says what is wrong without quoting what is stored.
pub(super) fn unreadable(path: &str, key: &IdempotencyKey, column: &str, found: &str) -> StoreError {
    StoreError::new(
        Kind::Corrupt,
        format!(
            "the record of key `{key}` in the SQLite file `{path}` cannot be read: column `{column}` {found}; \
             restore the row, or evict it if the operation may run again"
        ),
    )
}

/// The error for a setting or path that cannot work.
pub(super) fn misconfigured(message: String) -> StoreError {
    StoreError::new(Kind::Misconfigured, message)
}

/// Refuses a value above the limit before it travels to the writer.
pub(super) fn check_size(request: &OwnerWrite, limit: usize) -> Result<(), StoreError> {
    let (Change::Complete(value)
    | Change::Fail(value)
    | Change::ResolveApplied(value)
    | Change::ResolveFailed(value)) = &request.change
    else {
        return Ok(());
    };
    match &value.bytes {
        Some(bytes) if bytes.len() > limit => Err(StoreError::new(
            Kind::TooLarge,
            format!(
                "the value of key `{}` has {} bytes, and the SQLite store takes {limit}: keep large results \
                 elsewhere and return a reference",
                request.key,
                bytes.len()
            ),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_sqlite_have_their_kinds() {
        for (code, kind) in [
            (ffi::SQLITE_BUSY, Kind::Busy),
            (ffi::SQLITE_BUSY_SNAPSHOT, Kind::Busy),
            (ffi::SQLITE_LOCKED, Kind::Busy),
            (ffi::SQLITE_PROTOCOL, Kind::Busy),
            (ffi::SQLITE_FULL, Kind::Full),
            (ffi::SQLITE_IOERR_SHMSIZE, Kind::Full),
            (ffi::SQLITE_IOERR, Kind::Unavailable),
            (ffi::SQLITE_IOERR_FSYNC, Kind::Unavailable),
            (ffi::SQLITE_READONLY, Kind::ReadOnly),
            (ffi::SQLITE_READONLY_DIRECTORY, Kind::ReadOnly),
            (ffi::SQLITE_PERM, Kind::ReadOnly),
            (ffi::SQLITE_NOTADB, Kind::Corrupt),
            (ffi::SQLITE_CORRUPT, Kind::Corrupt),
            (ffi::SQLITE_CORRUPT_INDEX, Kind::Corrupt),
            (ffi::SQLITE_ERROR, Kind::Corrupt),
            (ffi::SQLITE_CONSTRAINT_NOTNULL, Kind::Corrupt),
            (ffi::SQLITE_TOOBIG, Kind::TooLarge),
            (ffi::SQLITE_CANTOPEN, Kind::Misconfigured),
            (ffi::SQLITE_NOMEM, Kind::Other),
            (ffi::SQLITE_MISUSE, Kind::Other),
        ] {
            let failure = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            let path = std::env::temp_dir().join("orders.db").display().to_string();
            let error = from_sqlite(&path, failure);
            assert_eq!(error.kind(), kind, "{code}: {error}");
            assert!(error.to_string().contains(&path), "{code}: {error}");
            assert!(std::error::Error::source(&error).is_some(), "{code}");
        }
    }

    #[test]
    fn only_failures_of_the_disk_leave_it_open_whether_a_write_was_applied() {
        let failure = |code| rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
        assert!(from_sqlite("/orders.db", failure(ffi::SQLITE_IOERR_WRITE)).kind().is_ambiguous());
        for code in [ffi::SQLITE_BUSY, ffi::SQLITE_FULL, ffi::SQLITE_READONLY] {
            assert!(!from_sqlite("/orders.db", failure(code)).kind().is_ambiguous(), "{code}");
        }
    }
}
