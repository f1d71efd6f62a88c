//! Whether the open file is still the one that others find at its path.
//!
//! A file that was removed, renamed or replaced while it is open goes on being written by who holds it, and a process
//! that opens the path meets another one: both would run the same body. The same goes for the write-ahead log beside it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use idempotency_runtime::{StoreError, StoreErrorKind};

/// How long a look at the file is good for. Where system calls are dear, two of them in each transaction were measured to
/// cost a third of it.
const GOOD_FOR: Duration = Duration::from_millis(10);

/// The file and its log, as they were found first.
pub(super) struct SameFile {
    path: PathBuf,
    log: PathBuf,
    file_was: Option<Identity>,
    log_was: Option<Identity>,
    looked_at: Option<Instant>,
}

impl SameFile {
    /// Takes the file that is at `path` now.
    pub(super) fn at(path: &str) -> Self {
        let log = PathBuf::from(format!("{path}-wal"));
        let path = PathBuf::from(path);
        Self { file_was: identity(&path), log_was: None, path, log, looked_at: None }
    }

    /// Checks both; called under the write lock, when the log is sure to exist.
    pub(super) fn check(&mut self) -> Result<(), StoreError> {
        if self.looked_at.is_some_and(|at| at.elapsed() < GOOD_FOR) {
            return Ok(());
        }
        self.looked_at = None;
        let log = identity(&self.log);
        // The log is made by the first transaction.
        self.log_was = self.log_was.or(log);
        if identity(&self.path) == self.file_was && log == self.log_was {
            self.looked_at = Some(Instant::now());
            return Ok(());
        }
        let message = format!(
            "the SQLite file `{}` or its `-wal` file was removed, renamed or replaced while it was open; nothing was \
             written: restart the process, and never move or remove the files of a running one",
            self.path.display()
        );
        Err(StoreError::new(StoreErrorKind::Misconfigured, message))
    }
}

/// Device and inode. Where they are not to be had, nothing is checked.
type Identity = (u64, u64);

/// Never opens the file: closing it would release the locks of this process's connections.
#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;

    path.metadata().ok().map(|file| (file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(_path: &Path) -> Option<Identity> {
    None
}
