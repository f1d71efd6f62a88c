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

/// The file that a store has opened first. Its further connections are to no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opened(Option<Identity>);

impl Opened {
    /// Checks that the file is still at its path.
    pub(super) fn check(self, path: &Path) -> Result<(), StoreError> {
        if identity(path) == self.0 { Ok(()) } else { Err(is_another(path)) }
    }
}

/// The file and its log, as they were found first.
pub(super) struct SameFile {
    path: PathBuf,
    log: PathBuf,
    file_was: Opened,
    log_was: Option<Identity>,
    looked_at: Option<Instant>,
}

impl SameFile {
    /// Takes the file that is at `path` now, unless another connection has opened it before.
    pub(super) fn at(path: &str, opened: Option<Opened>) -> Self {
        let log = PathBuf::from(format!("{path}-wal"));
        let path = PathBuf::from(path);
        let file_was = opened.unwrap_or_else(|| Opened(identity(&path)));
        Self { file_was, log_was: None, path, log, looked_at: None }
    }

    /// The file, for further connections.
    pub(super) fn opened(&self) -> Opened {
        self.file_was
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
        self.file_was.check(&self.path)?;
        if log != self.log_was {
            return Err(is_another(&self.path));
        }
        self.looked_at = Some(Instant::now());
        Ok(())
    }
}

fn is_another(path: &Path) -> StoreError {
    let message = format!(
        "the SQLite file `{}` or its `-wal` file was removed, renamed or replaced while it was open; nothing was \
         written: restart the process, and never move or remove the files of a running one",
        path.display()
    );
    StoreError::new(StoreErrorKind::Misconfigured, message)
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
