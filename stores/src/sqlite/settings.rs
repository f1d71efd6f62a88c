//! The settings of a SQLite store.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;

use super::Synchronous;
use super::same_file::Opened;

/// The settings of a [`SqliteStore`](super::SqliteStore); see [`SqliteStore::builder`](super::SqliteStore::builder).
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `open` is called"]
pub struct SqliteStoreBuilder {
    pub(super) path: PathBuf,
    pub(super) synchronous: Synchronous,
    pub(super) busy_timeout: Duration,
    pub(super) max_file_bytes: Option<u64>,
    pub(super) transaction_timeout: Duration,
    pub(super) purge_every: Option<Duration>,
    pub(super) cache_bytes: Option<u64>,
    pub(super) mmap_bytes: Option<u64>,
    pub(super) network_file_system: bool,
    pub(super) on_connect: Option<OnConnect>,
    /// The file that the store has open already.
    pub(super) opened: Option<Opened>,
}

type Connected = dyn Fn(&Connection) -> rusqlite::Result<()> + Send + Sync;

/// What the caller does on every new connection.
#[derive(Clone)]
pub(super) struct OnConnect(pub(super) Arc<Connected>);

impl fmt::Debug for OnConnect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnConnect(..)")
    }
}

impl SqliteStoreBuilder {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            synchronous: Synchronous::default(),
            busy_timeout: Duration::from_secs(5),
            max_file_bytes: None,
            transaction_timeout: Duration::from_secs(10),
            purge_every: Some(Duration::from_secs(60)),
            cache_bytes: None,
            mmap_bytes: None,
            network_file_system: false,
            on_connect: None,
            opened: None,
        }
    }

    /// What a power loss may take with it. Default: [`Synchronous::Full`], nothing.
    ///
    /// With [`Synchronous::Normal`] the store declares
    /// [`Durability::MayLoseAcknowledged`](idempotency_runtime::Durability::MayLoseAcknowledged), and operations use it
    /// only through a handle that says `.accepting_loss()`.
    pub fn synchronous(mut self, synchronous: Synchronous) -> Self {
        self.synchronous = synchronous;
        self
    }

    /// How long a call waits for another process that holds the write lock, before it fails with
    /// [`Busy`](idempotency_runtime::StoreErrorKind::Busy). Default: 5 s.
    pub fn busy_timeout(mut self, timeout: Duration) -> Self {
        self.busy_timeout = timeout;
        self
    }

    /// The size beyond which this store does not let the file grow, in bytes; what needs more fails with
    /// [`Full`](idempotency_runtime::StoreErrorKind::Full). A file that is already larger stays usable. The write-ahead
    /// log beside the file is not counted. Default: the disk.
    pub fn max_file_bytes(mut self, bytes: u64) -> Self {
        self.max_file_bytes = Some(bytes);
        self
    }

    /// How long a [`SqliteTransaction`](super::SqliteTransaction) may be open before it is rolled back. Default: 10 s: longer
    /// than the `busy_timeout`, so that a second transaction in the same task is told of the first, and does not end it.
    ///
    /// Nobody else writes to the file meanwhile: other calls wait for their `busy_timeout`, and a lease that cannot be
    /// renewed is lost, so keep it well below the leases of the operations that share the file.
    pub fn transaction_timeout(mut self, timeout: Duration) -> Self {
        self.transaction_timeout = timeout;
        self
    }

    /// How often records whose retention is over are removed in the background, in small batches; `None`: never, and
    /// somebody calls [`SqliteStore::purge`](super::SqliteStore::purge). Default: every minute.
    ///
    /// Retention is judged by the system's clock, whatever the clock of a handle says: a test with a clock of its own
    /// that runs for longer wants `None`.
    pub fn purge_every(mut self, interval: Option<Duration>) -> Self {
        self.purge_every = interval;
        self
    }

    /// How much memory each of the store's connections may use for pages of the file, in bytes. There is one for calls, and
    /// one each for transactions and for checkpoints once they are needed. Default: SQLite's, 2 MB.
    pub fn cache_bytes(mut self, bytes: u64) -> Self {
        self.cache_bytes = Some(bytes);
        self
    }

    /// How much of the file is read through a memory map, in bytes. Default: SQLite's, in most builds nothing.
    pub fn mmap_bytes(mut self, bytes: u64) -> Self {
        self.mmap_bytes = Some(bytes);
        self
    }

    /// Opens a file on a network file system although its locks may not hold: two hosts then may run the same body. Only
    /// for a mount that no second host has. Default: it is an error of the kind
    /// [`Misconfigured`](idempotency_runtime::StoreErrorKind::Misconfigured).
    ///
    /// On Linux these are recognised: NFS, SMB, AFS, Coda, Ceph, Lustre, OCFS2, and behind FUSE what the table of mounts
    /// names: sshfs, rclone, glusterfs, ceph-fuse, juicefs, s3fs, gcsfuse, mountpoint-s3, blobfuse, davfs and the like. What
    /// is behind 9P or virtiofs is not known.
    pub fn allow_network_file_system(mut self) -> Self {
        self.network_file_system = true;
        self
    }

    /// Does this on every new connection, before anything is read from the file: the place for the key of an encrypted
    /// database (`PRAGMA key`), for functions, and for settings of your own. Journal mode, locking mode, `synchronous` and
    /// `query_only` are set after it. A transaction that it leaves open, and temporary tables and triggers in front of the
    /// store's own, are errors of the kind [`Misconfigured`](idempotency_runtime::StoreErrorKind::Misconfigured).
    ///
    /// Threads of the store have connections of their own, so it is called several times; and again on the same
    /// connection if it met the lock of another one.
    pub fn on_connect(
        mut self,
        connected: impl Fn(&Connection) -> rusqlite::Result<()> + Send + Sync + 'static,
    ) -> Self {
        self.on_connect = Some(OnConnect(Arc::new(connected)));
        self
    }
}
