//! Tables that this version did not write: newer ones, altered ones, and those of the application beside them.

#![cfg(feature = "sqlite")]

mod sqlite_support;

use idempotency_conformance::script::{ANN, BOB, START, TTL, after};
use idempotency_runtime::{Claim, Evict, Store, StoreErrorKind as Kind};
use idempotency_stores::SqliteStore;

use crate::sqlite_support::{Place, acquire, assert_error, claim_by, claim_of, finish, numbered};

#[tokio::test]
async fn a_file_of_a_newer_version_is_not_opened() {
    let place = Place::new();
    finish(&place.open().await, &numbered(1)).await;
    place.connect().execute("UPDATE idempotency_meta SET value = 7 WHERE name = 'format'", []).unwrap();
    let file = place.file().canonicalize().unwrap().display().to_string();
    let parts = [&*file, "format 7", "up to format 1", "upgrade the crate"];
    assert_error(SqliteStore::open(place.file()).await, Kind::NewerFormat, &parts);
}

#[tokio::test]
async fn a_file_that_a_newer_version_migrates_meanwhile_is_neither_read_nor_written() {
    let place = Place::new();
    let store = place.open().await;
    let held = acquire(&store, claim_of(&numbered(1))).await;
    finish(&store, &numbered(2)).await;
    let other = place.connect();
    other.execute("UPDATE idempotency_meta SET value = 2 WHERE name = 'format'", []).unwrap();
    let before = rows(&other);

    let parts = ["format 2", "upgrade the crate"];
    let newer = Kind::NewerFormat;
    assert_error(store.claim(claim_of(&numbered(3))).await, newer, &parts);
    assert_error(store.claim(claim_by(&numbered(2), BOB)).await, newer, &parts);
    assert_error(store.write(held.complete(START)).await, newer, &parts);
    assert_error(store.inspect(&numbered(2)).await, newer, &parts);
    assert_error(store.evict(held.evict()).await, newer, &parts);
    assert_error(store.purge(after(2 * TTL), 10).await, newer, &parts);
    assert_error(store.ready().await, newer, &parts);
    assert_eq!(rows(&other), before);
    other
        .execute_batch("PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK")
        .expect("a call that failed still holds the lock");
}

/// Every record as text.
fn rows(connection: &rusqlite::Connection) -> Vec<String> {
    let mut statement = connection
        .prepare("SELECT quote(key) || status || epoch FROM idempotency_records ORDER BY key")
        .unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[tokio::test]
async fn a_file_that_does_not_say_its_version_is_corrupt() {
    for change in [
        "DELETE FROM idempotency_meta",
        "UPDATE idempotency_meta SET value = 0",
        "DROP TABLE idempotency_meta; CREATE TABLE idempotency_meta (name TEXT, text TEXT)",
    ] {
        let place = Place::new();
        let store = place.open().await;
        finish(&store, &numbered(1)).await;
        place.connect().execute_batch(change).unwrap();
        let claim = store.claim(claim_by(&numbered(1), BOB)).await;
        assert_error(claim, Kind::Corrupt, &["records.db"]);
        assert_error(SqliteStore::open(place.file()).await, Kind::Corrupt, &["records.db"]);
    }
}

#[tokio::test]
async fn tables_that_vanish_or_change_are_corrupt_and_grant_nothing() {
    for change in [
        "DROP TABLE idempotency_records",
        "ALTER TABLE idempotency_records RENAME TO elsewhere",
        "ALTER TABLE idempotency_records DROP COLUMN value",
        "DROP TABLE idempotency_meta",
    ] {
        let place = Place::new();
        let store = place.open().await;
        finish(&store, &numbered(1)).await;
        place.connect().execute_batch(change).unwrap();
        for key in [numbered(1), numbered(2)] {
            let claim = store.claim(claim_by(&key, BOB)).await;
            assert_error(claim, Kind::Corrupt, &["records.db", "as this crate made them"]);
        }
    }
}

#[tokio::test]
async fn a_record_that_cannot_be_read_names_key_and_column_and_is_never_granted() {
    for (column, change, found) in [
        ("status", "status = 'paused'", "holds no word"),
        ("owner", "owner = x'0102'", "does not hold 16 bytes"),
        ("fingerprint", "fingerprint = x'01'", "holds no fingerprint"),
        ("attempt", "attempt = -1", "is out of range"),
        ("attempt", "attempt = 1 << 40", "is out of range"),
        ("on_crash", "on_crash = 'maybe'", "holds no word"),
        ("announced", "announced = 2", "holds neither 0 nor 1"),
        ("value_version", "value_version = NULL", "is empty although there is a value"),
        ("value_version", "value_version = -1", "is out of range"),
    ] {
        let place = Place::new();
        let store = place.open().await;
        let held = acquire(&store, claim_of(&numbered(1))).await;
        let _ = store.write(held.complete(START)).await.unwrap();
        place.connect().execute(&format!("UPDATE idempotency_records SET {change}"), []).unwrap();

        let parts = ["records.db", "orders.create:tenant-a#1", &format!("column `{column}`"), found];
        let error = assert_error(store.claim(claim_by(&numbered(1), BOB)).await, Kind::Corrupt, &parts);
        assert!(!format!("{error:?}").contains("done"), "a payload is shown: {error:?}");
        assert_error(store.write(held.release(START)).await, Kind::Corrupt, &parts);
        assert_error(store.inspect(&numbered(1)).await, Kind::Corrupt, &parts);
        assert!(matches!(store.claim(claim_of(&numbered(2))).await, Ok(Claim::Acquired { .. })));
        assert!(store.evict(Evict::new(numbered(1), held.epoch)).await.unwrap(), "{column}");
        assert!(matches!(store.claim(claim_of(&numbered(1))).await, Ok(Claim::Acquired { .. })));
    }
}

#[tokio::test]
async fn a_record_with_an_unreadable_status_is_not_purged() {
    let place = Place::new();
    let store = place.open().await;
    finish(&store, &numbered(1)).await;
    place.connect().execute("UPDATE idempotency_records SET status = 'paused'", []).unwrap();
    assert_eq!(store.purge(after(10 * TTL), 10).await.unwrap(), 0);
    assert_eq!(rows(&place.connect()).len(), 1);
}

#[tokio::test]
async fn tables_of_the_application_in_the_same_file_stay_as_they_are() {
    let place = Place::new();
    let application = place.connect();
    application
        .execute_batch(
            "PRAGMA user_version = 42; PRAGMA application_id = 77;
             CREATE TABLE orders (number INTEGER PRIMARY KEY, total REAL);
             CREATE TABLE meta (name TEXT); CREATE INDEX by_total ON orders (total);
             INSERT INTO orders VALUES (1, 9.5), (2, 12.0); INSERT INTO meta VALUES ('mine');",
        )
        .unwrap();
    let before = described(&application);

    let store = place.open().await;
    finish(&store, &numbered(1)).await;
    store.ready().await.unwrap();
    store.purge(after(2 * TTL), 10).await.unwrap();
    assert_eq!(described(&application), before);
    application.execute("INSERT INTO orders VALUES (3, 1.0)", []).unwrap();
    assert!(matches!(store.claim(claim_by(&numbered(1), ANN)).await, Ok(Claim::Acquired { .. })));
}

/// Everything in the file that is not the store's.
fn described(connection: &rusqlite::Connection) -> Vec<String> {
    let mut found = Vec::new();
    for query in [
        "SELECT name || coalesce(sql, '') FROM sqlite_master WHERE tbl_name NOT LIKE 'idempotency%' ORDER BY name",
        "SELECT number || ':' || total FROM orders",
        "SELECT name FROM meta",
        "SELECT 'version ' || user_version FROM pragma_user_version",
        "SELECT 'id ' || application_id FROM pragma_application_id",
    ] {
        let mut statement = connection.prepare(query).unwrap();
        found.extend(statement.query_map([], |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap));
    }
    found
}

#[tokio::test]
async fn a_table_of_another_owner_with_the_name_of_ours_is_not_touched() {
    let place = Place::new();
    let application = place.connect();
    application.execute_batch("CREATE TABLE idempotency_records (mine TEXT)").unwrap();
    application.execute_batch("INSERT INTO idempotency_records VALUES ('kept')").unwrap();
    assert_error(SqliteStore::open(place.file()).await, Kind::Corrupt, &["records.db", "tables"]);
    let kept = application.query_row("SELECT mine FROM idempotency_records", [], |row| row.get(0));
    assert_eq!(kept, Ok("kept".to_owned()));
}

#[tokio::test]
async fn a_file_in_another_text_encoding_works_alike() {
    let place = Place::new();
    place
        .connect()
        .execute_batch("PRAGMA encoding = 'UTF-16le'; CREATE TABLE orders (number INTEGER)")
        .unwrap();
    let key = idempotency_conformance::script::key_of("orders.create:größe#日本");
    let store = place.open().await;
    finish(&store, &key).await;
    assert!(matches!(store.claim(claim_by(&key, BOB)).await, Ok(Claim::Final(_))));
}
