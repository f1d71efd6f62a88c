//! The SQLite store passes the conformance suite; every case has a file of its own.

#![cfg(feature = "sqlite")]

use idempotency_conformance::Harness;
use idempotency_runtime::AnyStore;
use idempotency_stores::SqliteStore;
use tempfile::TempDir;

struct File;

impl Harness for File {
    type Place = TempDir;

    async fn create(&self) -> TempDir {
        tempfile::tempdir().unwrap()
    }

    async fn open(&self, place: &TempDir) -> AnyStore {
        AnyStore::new(SqliteStore::open(place.path().join("records.db")).await.unwrap())
    }
}

idempotency_conformance::suite!(sqlite, File);
