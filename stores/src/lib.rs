//! The stores of the `idempotency` crate, each behind a feature of its own.
//!
//! | feature | store | where records live |
//! |---|---|---|
//! | `memory` (default) | `MemoryStore` | in this process |
//! | `sqlite` | `SqliteStore` | in a file that the processes of one machine share |
//! | `sqlite-bundled` | the same, with SQLite compiled in | |
//!
//! [`open`] opens a store by its URL, [`from_env`] the one that the environment names, [`from_features`] the one
//! that is enabled.

#[cfg(feature = "memory")]
mod memory;
mod open;
#[cfg(feature = "sqlite")]
mod sqlite;

#[cfg(feature = "memory")]
pub use self::memory::{MemoryStore, MemoryStoreBuilder};
pub use self::open::{from_env, from_features, open};
#[cfg(feature = "sqlite")]
pub use self::sqlite::{
    DeadLetter, Dispatched, Dispatcher, EnqueueError, InsertError, Inserted, MessageId, OutboxMessage,
    RequestHash, SqliteStore, SqliteStoreBuilder, SqliteTransaction, Synchronous, TransactionError, enqueue,
    insert_once,
};
/// The SQLite library that the stores use: connections of the same version can share a program.
#[cfg(feature = "sqlite")]
pub use rusqlite;
