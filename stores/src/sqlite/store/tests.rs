//! The connection's statements, transactions and end.

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
    assert!(tokio::time::timeout(Duration::from_secs(60), closed).await.is_ok(), "the file is still open");
}
