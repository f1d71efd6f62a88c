//! The records that the processes of a run share: in memory, or in a file.

use idempotency::AnyStore;
use idempotency::store::MemoryStore;

#[cfg(feature = "sqlite")]
pub(super) use self::file::File;

/// Where runs keep their records.
#[derive(Debug)]
pub(super) enum Records {
    Memory,
    #[cfg(feature = "sqlite")]
    File(File),
}

impl Records {
    /// Records without one of the key that is named.
    pub(super) fn fresh(&self) -> (AnyStore, u64) {
        match self {
            Self::Memory => (AnyStore::new(MemoryStore::new()), 1),
            #[cfg(feature = "sqlite")]
            Self::File(file) => file.fresh(),
        }
    }

    /// The same records, as a process finds them that comes later.
    pub(super) fn again(&self, records: &AnyStore) -> AnyStore {
        match self {
            Self::Memory => records.clone(),
            #[cfg(feature = "sqlite")]
            Self::File(file) => file.open(),
        }
    }
}

#[cfg(feature = "sqlite")]
mod file {
    use std::sync::atomic::{AtomicU64, Ordering};

    use idempotency::AnyStore;
    use idempotency::store::{SqliteStore, Synchronous};

    use crate::nth::store::wait_for;

    /// A file of SQLite, with a key for each run.
    #[derive(Debug)]
    pub(in crate::nth) struct File {
        directory: tempfile::TempDir,
        keys: AtomicU64,
        store: AnyStore,
    }

    impl File {
        pub(in crate::nth) fn new() -> Self {
            let directory = tempfile::tempdir().expect("a directory");
            let store = open(&directory);
            Self { directory, keys: AtomicU64::new(0), store }
        }

        pub(super) fn fresh(&self) -> (AnyStore, u64) {
            (self.store.clone(), self.keys.fetch_add(1, Ordering::Relaxed) + 1)
        }

        pub(super) fn open(&self) -> AnyStore {
            open(&self.directory)
        }
    }

    /// Without waiting for the disk: here processes end, and machines do not.
    fn open(directory: &tempfile::TempDir) -> AnyStore {
        let builder = SqliteStore::builder(directory.path().join("records.db"));
        let store = wait_for(builder.synchronous(Synchronous::Normal).open()).expect("a store");
        AnyStore::new(store).accepting_loss()
    }
}
