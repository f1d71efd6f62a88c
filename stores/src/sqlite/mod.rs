//! The SQLite store: records in one file that several processes of one machine may share.
//!
//! The file is in WAL mode. One thread per store owns the connection and takes jobs from a queue, so that no
//! executor thread ever waits for the disk or for another process. Reads come first: a call that writes nothing
//! (a replay, a claim that another owner holds) never takes the file's write lock. A call that writes opens
//! `BEGIN IMMEDIATE`, reads again and decides again under the lock; while another process holds it, the call stands
//! aside, and calls that write nothing are served.
//!
//! The tables `idempotency_records` and `idempotency_meta` may live beside the tables of the application.

mod error;
mod group;
mod insert_once;
mod integrity;
mod keeper;
mod line;
mod outbox;
mod place;
mod row;
mod same_file;
mod schema;
mod settings;
mod store;
mod strangers;
mod together;
mod told;
mod transaction;
mod turns;
mod writer;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use idempotency_runtime::{
    Capabilities, Claim, ClaimRequest, Durability, Evict, IdempotencyKey, ListRequest, OwnerWrite, Record,
    Store, StoreError, Timestamp, Written,
};
use tokio::sync::{Notify, OnceCell};

pub use self::insert_once::{InsertError, Inserted, RequestHash, insert_once};
use self::keeper::Bell;
pub use self::outbox::{DeadLetter, Dispatched, Dispatcher, EnqueueError, MessageId, OutboxMessage, enqueue};
pub use self::settings::SqliteStoreBuilder;
pub use self::transaction::{SqliteTransaction, TransactionError};
use self::turns::Turns;
use self::writer::{Job, Writer};

/// The largest encoded result that is recorded, in bytes. SQLite itself would take 1,000,000,000; a value of
/// that size would hold up everybody who shares the file.
const MAX_VALUE_BYTES: usize = 64 * 1024 * 1024;

/// What happens to acknowledged writes when the machine loses power. A crash of the process loses none in
/// either mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Synchronous {
    /// Every write is on the disk before it is acknowledged (`PRAGMA synchronous = FULL`).
    #[default]
    Full,
    /// The disk is waited for at checkpoints only (`PRAGMA synchronous = NORMAL`): faster, and the last writes
    /// before a power loss may be lost. A lost claim or outcome means that a retry runs the body again.
    Normal,
}

/// Records in a SQLite file. Clones share the connection; the file is closed when the last one is dropped.
///
/// Put the file on a local disk: SQLite's locks are not reliable on network file systems.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("orders.db");
/// # mod idempotency {
/// #     pub use idempotency_stores as store;
/// # }
/// use idempotency::store::SqliteStore;
///
/// let store = SqliteStore::open(&path).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct SqliteStore {
    shared: Arc<Shared>,
}

struct Shared {
    writer: Writer,
    identity: String,
    settings: SqliteStoreBuilder,
    turns: Arc<Turns>,
    bell: Bell,
    /// Started by the first transaction.
    lane: OnceCell<transaction::Queue>,
    /// Told of every commit of a transaction: a message may be in it.
    outbox: Arc<Notify>,
}

impl Shared {
    async fn lane(&self) -> Result<transaction::Queue, StoreError> {
        let start = || transaction::start(self.settings.clone(), self.turns.clone(), self.bell.clone());
        self.lane.get_or_try_init(start).await.cloned()
    }
}

impl SqliteStore {
    /// Opens the file with the standard settings; a missing file is created, a missing directory is an error.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::builder(path).open().await
    }

    /// Opens the file with settings of your own.
    pub fn builder(path: impl AsRef<Path>) -> SqliteStoreBuilder {
        SqliteStoreBuilder::new(path.as_ref().to_owned())
    }

    /// Removes up to `limit` records that are forgotten at `now`, oldest first, and says how many it removed.
    ///
    /// Forgotten records answer nothing any more; they only take room. That is done in the background as well, see
    /// [`SqliteStoreBuilder::purge_every`]. The write lock is held for one batch: call it in small ones, for example 500,
    /// until one is not full.
    pub async fn purge(&self, now: Timestamp, limit: usize) -> Result<usize, StoreError> {
        self.shared.writer.call(|reply| Job::Purge { now, limit, reply }).await
    }
}

impl Store for SqliteStore {
    async fn claim(&self, request: ClaimRequest) -> Result<Claim, StoreError> {
        self.shared.writer.call(|reply| Job::Claim { request, reply }).await
    }

    async fn write(&self, request: OwnerWrite) -> Result<Written, StoreError> {
        error::check_size(&request, MAX_VALUE_BYTES)?;
        self.shared.writer.call(|reply| Job::Write { request, reply }).await
    }

    async fn inspect(&self, key: &IdempotencyKey) -> Result<Option<Record>, StoreError> {
        let key = key.clone();
        self.shared.writer.call(|reply| Job::Inspect { key, reply }).await
    }

    async fn evict(&self, request: Evict) -> Result<bool, StoreError> {
        self.shared.writer.call(|reply| Job::Evict { request, reply }).await
    }

    async fn list(&self, request: ListRequest) -> Result<Vec<Record>, StoreError> {
        self.shared.writer.call(|reply| Job::List { request, reply }).await
    }

    /// Writes to the file without changing anything, so that a full disk or a missing permission shows.
    async fn ready(&self) -> Result<(), StoreError> {
        self.shared.writer.call(|reply| Job::Ready { reply }).await
    }

    fn capabilities(&self) -> Capabilities {
        let durability = match self.shared.settings.synchronous {
            Synchronous::Full => Durability::Durable,
            Synchronous::Normal => Durability::MayLoseAcknowledged,
        };
        Capabilities::new(durability).with_max_value_bytes(MAX_VALUE_BYTES).with_listing().with_transactions()
    }

    fn identity(&self) -> &str {
        &self.shared.identity
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("SqliteStore");
        out.field("identity", &self.shared.identity)
            .field("synchronous", &self.shared.settings.synchronous)
            .finish()
    }
}

impl SqliteStoreBuilder {
    /// Opens the file; see [`SqliteStore::open`].
    pub async fn open(self) -> Result<SqliteStore, StoreError> {
        let turns = Arc::new(Turns::default());
        let (bell, rings) = Bell::new();
        let (writer, path, opened) = Writer::open(self.clone(), turns.clone(), bell.clone()).await?;
        let identity = format!("sqlite:{path}");
        // The directory of the process may be another one when the next connection is opened.
        let settings = Self { path: PathBuf::from(path), opened: Some(opened), ..self };
        let (lane, outbox) = (OnceCell::new(), Arc::default());
        let shared = Arc::new(Shared { writer, identity, settings, turns, bell, lane, outbox });
        keeper::start(shared.settings.clone(), shared.turns.clone(), Arc::downgrade(&shared), rings)?;
        Ok(SqliteStore { shared })
    }
}
