//! Files of older versions.

use std::sync::{Arc, Barrier};

use idempotency_runtime::IdempotencyKey;

use super::super::store::Database;
use super::*;
use crate::SqliteStore;

const STEPS: &[&str] = &[
    "ALTER TABLE idempotency_records ADD COLUMN note TEXT",
    "CREATE TABLE idempotency_notes (note TEXT); INSERT INTO idempotency_notes VALUES ('once')",
];

fn file() -> (tempfile::TempDir, SqliteStoreBuilder) {
    let directory = tempfile::tempdir().unwrap();
    let settings = SqliteStore::builder(directory.path().join("records.db"));
    open(&settings).unwrap();
    (directory, settings)
}

fn connect(settings: &SqliteStoreBuilder) -> Connection {
    let connection = Connection::open(&settings.path).unwrap();
    connection.pragma_update_and_check(None, "busy_timeout", 60_000, |_| Ok(())).unwrap();
    connection
}

fn notes(connection: &Connection) -> i64 {
    connection.query_row("SELECT count(*) FROM idempotency_notes", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_new_file_has_the_latest_version_and_there_is_a_migration_to_each() {
    let (_directory, settings) = file();
    assert_eq!(stored_format(&connect(&settings)), Ok(Some(FORMAT)));
    assert_eq!(i64::try_from(MIGRATIONS.len()), Ok(FORMAT - 1));
}

#[test]
fn each_migration_is_made_once_whoever_comes_first() {
    let (_directory, settings) = file();
    let barrier = Barrier::new(3);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut connection = connect(&settings);
                barrier.wait();
                migrate(&mut connection, "records.db", STEPS).unwrap();
            });
        }
    });
    let mut connection = connect(&settings);
    assert_eq!((stored_format(&connection), notes(&connection)), (Ok(Some(3)), 1));
    migrate(&mut connection, "records.db", STEPS).unwrap();
    assert_eq!(notes(&connection), 1);
}

#[test]
fn a_migration_that_fails_leaves_the_version_before_it() {
    let (_directory, settings) = file();
    let mut connection = connect(&settings);
    let steps = [STEPS[0], "CREATE TABLE idempotency_notes (note TEXT); INSERT INTO missing VALUES (1)"];
    assert!(migrate(&mut connection, "records.db", &steps).is_err());
    assert_eq!(stored_format(&connection), Ok(Some(2)));
    migrate(&mut connection, "records.db", STEPS).unwrap();
    assert_eq!((stored_format(&connection), notes(&connection)), (Ok(Some(3)), 1));
}

#[test]
fn a_process_that_has_the_file_open_is_refused_after_a_migration() {
    let (_directory, settings) = file();
    let database = Database::open(&settings, Arc::default(), None).unwrap();
    let key = IdempotencyKey::from_stored("go:1");
    assert!(database.inspect(&key).unwrap().is_none());
    migrate(&mut connect(&settings), "records.db", STEPS).unwrap();
    assert_eq!(database.inspect(&key).unwrap_err().kind(), StoreErrorKind::NewerFormat);
}
