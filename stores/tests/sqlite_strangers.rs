//! What others put between the store and its tables: triggers, tables of the same names, a connection that is not as it
//! was, a lock that is never let go. Nothing is granted that is not written.

#![cfg(feature = "sqlite")]

mod sqlite_support;

use std::time::Duration;

use idempotency_conformance::script::{BOB, START};
use idempotency_runtime::{Claim, Store as _, StoreErrorKind as Kind};
use idempotency_stores::SqliteStore;

use crate::sqlite_support::{Place, acquire, assert_error, claim_by, claim_of, finish, numbered};

/// Triggers that leave out a claim, undo an outcome, and only take note.
const TRIGGERS: [&str; 3] = [
    "CREATE TRIGGER stranger BEFORE INSERT ON idempotency_records BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TRIGGER stranger AFTER UPDATE ON Idempotency_Records BEGIN
         DELETE FROM idempotency_records WHERE key = NEW.key; END",
    "CREATE TRIGGER stranger AFTER UPDATE ON idempotency_meta BEGIN SELECT 1; END",
];

#[tokio::test]
async fn a_file_with_a_trigger_on_the_tables_is_not_opened_until_it_is_dropped() {
    for trigger in TRIGGERS {
        let place = Place::new();
        finish(&place.open().await, &numbered(1)).await;
        let other = place.connect();
        other.execute_batch(trigger).unwrap();
        let parts = ["records.db", "trigger `stranger`", "drop it"];
        assert_error(SqliteStore::open(place.file()).await, Kind::Misconfigured, &parts);
        other.execute_batch("DROP TRIGGER stranger").unwrap();
        let answer = place.open().await.claim(claim_by(&numbered(1), BOB)).await;
        assert!(matches!(answer, Ok(Claim::Final(_))), "{answer:?}");
    }
}

#[tokio::test]
async fn triggers_on_tables_of_the_application_are_its_own() {
    let place = Place::new();
    let sql = "CREATE TABLE orders (number INTEGER); CREATE TABLE idempotency_records_of_mine (number INTEGER);
        CREATE TRIGGER mine AFTER INSERT ON orders BEGIN INSERT INTO idempotency_records_of_mine VALUES (1); END;
        CREATE TRIGGER other AFTER INSERT ON idempotency_records_of_mine BEGIN SELECT 1; END";
    place.connect().execute_batch(sql).unwrap();
    finish(&place.open().await, &numbered(1)).await;
}

#[tokio::test]
async fn a_write_that_a_trigger_leaves_out_is_never_acknowledged() {
    let place = Place::new();
    let store = place.open().await;
    let held = acquire(&store, claim_of(&numbered(1))).await;
    let sql = "CREATE TRIGGER one BEFORE INSERT ON idempotency_records BEGIN SELECT RAISE(IGNORE); END;
        CREATE TRIGGER two BEFORE UPDATE ON idempotency_records BEGIN SELECT RAISE(IGNORE); END";
    place.connect().execute_batch(sql).unwrap();
    let parts = ["records.db", "as this crate made them"];
    assert_error(store.claim(claim_of(&numbered(2))).await, Kind::Corrupt, &parts);
    assert_error(store.write(held.complete(START)).await, Kind::Corrupt, &parts);
    assert_eq!(store.inspect(&numbered(2)).await.unwrap(), None);
}

#[tokio::test]
async fn a_connection_on_which_the_store_cannot_work_is_not_used() {
    let place = Place::new();
    finish(&place.open().await, &numbered(1)).await;
    for (left, said) in [
        ("BEGIN", "leaves a transaction open"),
        (
            "CREATE TEMP TRIGGER stranger BEFORE INSERT ON main.idempotency_records BEGIN SELECT RAISE(IGNORE); END",
            "trigger `stranger`",
        ),
        ("CREATE TEMP TABLE idempotency_records (mine TEXT)", "temporary table `idempotency_records`"),
        ("CREATE TEMP VIEW Idempotency_Meta AS SELECT 1", "temporary view `Idempotency_Meta`"),
    ] {
        let builder =
            SqliteStore::builder(place.file()).on_connect(move |connection| connection.execute_batch(left));
        assert_error(builder.open().await, Kind::Misconfigured, &["records.db", said]);
    }
}

#[tokio::test]
async fn a_connection_that_only_reads_is_made_to_write() {
    let place = Place::new();
    let builder = SqliteStore::builder(place.file());
    let store = builder.on_connect(|connection| connection.execute_batch("PRAGMA query_only = ON"));
    finish(&store.open().await.unwrap(), &numbered(1)).await;
}

#[tokio::test]
async fn a_file_that_another_program_keeps_to_itself_is_busy_until_it_lets_go() {
    let place = Place::new();
    finish(&place.open().await, &numbered(1)).await;
    // The store's thread closes the file after the last handle is gone, and removes the log with it.
    while place.directory().join("records.db-wal").exists() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let other = place.connect();
    other
        .execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE idempotency_meta SET value = value; COMMIT")
        .unwrap();
    let patience = Duration::from_millis(100);
    let open = || SqliteStore::builder(place.file()).busy_timeout(patience).open();
    let error = assert_error(open().await, Kind::Busy, &["records.db", "locked", "nothing was written"]);
    assert!(error.is_retryable());
    drop(other);
    finish(&open().await.unwrap(), &numbered(2)).await;
}
