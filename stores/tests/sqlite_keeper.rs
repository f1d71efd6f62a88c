//! What happens to the file in the background, and what its owner can set and ask.

#![cfg(feature = "sqlite")]

mod sqlite_support;

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use idempotency_conformance::script::START;
use idempotency_runtime::{Change, RecordedValue, Store as _, StoreErrorKind as Kind};
use idempotency_stores::SqliteStore;

use crate::sqlite_support::{Place, acquire, claim_of, finish, numbered};

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

const PAGE: u64 = 4096;

/// What is kept of a log that has begun anew, in bytes.
const LONGEST_KEPT: u64 = 32 * 1024 * 1024;

fn log_bytes(place: &Place) -> u64 {
    fs::metadata(place.directory().join("records.db-wal")).unwrap().len()
}

/// How often the log has begun anew, as its header says.
fn beginnings(place: &Place) -> [u8; 4] {
    let log = fs::read(place.directory().join("records.db-wal")).unwrap();
    log[12..16].try_into().unwrap()
}

/// Waits until it is so.
async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

async fn write(store: &SqliteStore, numbers: std::ops::Range<usize>) {
    for number in numbers {
        acquire(store, claim_of(&numbered(number))).await;
    }
}

/// Lets the retention of all that has one be over, whatever the system's clock says.
fn forget(place: &Place) {
    let connection = place.connect();
    connection.pragma_update_and_check(None, "busy_timeout", 60_000, |_| Ok(())).unwrap();
    let sql = "UPDATE idempotency_records SET retain_until = 1 WHERE retain_until IS NOT NULL";
    connection.execute(sql, []).unwrap();
}

fn count(place: &Place) -> i64 {
    place.connect().query_row("SELECT count(*) FROM idempotency_records", [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn the_log_stays_bounded_while_the_writer_never_pauses() {
    let place = Place::new();
    let store = SqliteStore::builder(place.file()).purge_every(None).open().await.unwrap();
    write(&store, 0..4_000).await;
    // Without checkpoints it would have twice as many pages.
    assert!(log_bytes(&place) < 6_000 * PAGE, "{} pages", log_bytes(&place) / PAGE);
}

#[tokio::test]
async fn a_reader_that_stays_keeps_nobody_from_writing_and_the_log_begins_anew_when_it_leaves() {
    let place = Place::new();
    let store = SqliteStore::builder(place.file()).purge_every(None).open().await.unwrap();
    write(&store, 0..10).await;
    let reader = place.connect();
    reader.execute_batch("BEGIN").unwrap();
    let seen =
        || reader.query_row("SELECT count(*) FROM idempotency_records", [], |row| row.get::<_, i64>(0));
    assert_eq!(seen(), Ok(10));
    write(&store, 10..2_500).await;
    assert_eq!(seen(), Ok(10), "it sees what was there when it began");
    assert!(log_bytes(&place) > 4_000 * PAGE, "the log has to keep what the reader may still ask for");
    let before = beginnings(&place);
    reader.execute_batch("COMMIT").unwrap();
    let began = Instant::now();
    for number in 2_500.. {
        write(&store, number..number + 1).await;
        if beginnings(&place) != before {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "the log goes on growing");
    }
}

#[tokio::test]
async fn a_log_that_a_reader_has_let_grow_gives_its_room_back() {
    let place = Place::new();
    let store = SqliteStore::builder(place.file()).purge_every(None).open().await.unwrap();
    write(&store, 0..10).await;
    let reader = place.connect();
    reader.execute_batch("BEGIN; SELECT count(*) FROM idempotency_records").unwrap();
    for number in 10.. {
        if log_bytes(&place) > LONGEST_KEPT + 100 * PAGE {
            break;
        }
        finish_large(&store, number).await;
    }
    reader.execute_batch("COMMIT").unwrap();
    let began = Instant::now();
    for number in 10_000.. {
        write(&store, number..number + 1).await;
        if log_bytes(&place) <= LONGEST_KEPT {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{} pages", log_bytes(&place) / PAGE);
    }
}

/// A record of many pages.
async fn finish_large(store: &SqliteStore, number: usize) {
    let held = acquire(store, claim_of(&numbered(number))).await;
    let value = RecordedValue::new(1, Some(vec![7; 1_000_000].into()));
    drop(store.write(held.change(START, Change::Complete(value))).await.unwrap());
}

#[tokio::test]
async fn forgotten_records_are_removed_in_the_background_and_no_others() {
    let place = Place::new();
    let store = SqliteStore::builder(place.file()).purge_every(None).open().await.unwrap();
    for number in 0..450 {
        finish(&store, &numbered(number)).await;
    }
    // Its outcome is unknown, and stays so.
    let held = acquire(&store, claim_of(&numbered(1_000))).await;
    drop(store.write(held.change(START, Change::MarkUnknown)).await.unwrap());
    drop(store);
    assert_eq!(count(&place), 451);
    forget(&place);
    let every = Some(Duration::from_millis(20));
    let store = SqliteStore::builder(place.file()).purge_every(every).open().await.unwrap();
    until("the records are still there", || count(&place) == 1).await;
    assert!(store.inspect(&numbered(1_000)).await.unwrap().is_some());
    // It goes on.
    finish(&store, &numbered(1)).await;
    forget(&place);
    until("the record is still there", || count(&place) == 1).await;
}

#[tokio::test]
async fn a_store_that_is_dropped_while_it_purges_closes_its_file() {
    let place = Place::new();
    let store = SqliteStore::builder(place.file()).purge_every(None).open().await.unwrap();
    for number in 0..1_000 {
        finish(&store, &numbered(number)).await;
    }
    forget(&place);
    drop(store);
    let every = Some(Duration::from_millis(1));
    let store = SqliteStore::builder(place.file()).purge_every(every).open().await.unwrap();
    until("nothing was removed", || count(&place) < 1_000).await;
    drop(store);
    let log = place.directory().join("records.db-wal");
    until("the file is still open", || !log.exists()).await;
}

#[tokio::test]
async fn every_connection_gets_the_settings_of_the_caller_first_and_those_of_the_store_after() {
    let place = Place::new();
    let connections = Arc::new(AtomicU32::new(0));
    let counted = connections.clone();
    let builder = SqliteStore::builder(place.file()).cache_bytes(1 << 20).mmap_bytes(1 << 20);
    let store = builder.on_connect(move |connection| {
        if counted.fetch_add(1, Ordering::SeqCst) == 0 {
            // While nobody else has it open.
            connection.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE")?;
        }
        connection
            .execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = 7; PRAGMA temp_store = MEMORY")
    });
    let store = store.open().await.unwrap();
    assert_eq!(connections.load(Ordering::SeqCst), 1);
    let tx = store.begin().await.unwrap();
    assert_eq!(connections.load(Ordering::SeqCst), 2);
    let read = |name: &'static str| {
        tx.run(move |connection| {
            connection.pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0))
        })
    };
    let text = |value| format!("{value:?}");
    let expected = [
        ("journal_mode", "Text(\"wal\")"),
        ("synchronous", "Integer(2)"),
        ("locking_mode", "Text(\"normal\")"),
        ("cache_size", "Integer(-1024)"),
        ("mmap_size", "Integer(1048576)"),
        ("temp_store", "Integer(2)"),
    ];
    for (name, value) in expected {
        assert_eq!(text(read(name).await.unwrap()), value, "{name}");
    }
    tx.rollback().await;
    // Another process is not locked out.
    place.connect().execute_batch("BEGIN IMMEDIATE; COMMIT").unwrap();
}

#[tokio::test]
async fn a_connection_that_cannot_be_prepared_is_not_used() {
    let place = Place::new();
    let refused =
        SqliteStore::builder(place.file()).on_connect(|connection| connection.execute_batch("nonsense"));
    let error = refused.open().await.unwrap_err();
    assert_eq!(error.kind(), Kind::Misconfigured);
    assert!(error.to_string().contains("what `on_connect` does"), "{error}");
}

#[tokio::test]
async fn a_file_that_is_whole_has_no_findings() {
    let place = Place::new();
    let store = place.open().await;
    write(&store, 0..200).await;
    assert_eq!(store.check_integrity().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_damaged_page_and_an_unreadable_record_are_found() {
    let place = Place::new();
    let store = SqliteStore::builder(place.file()).purge_every(None).open().await.unwrap();
    for number in 0..200 {
        finish(&store, &numbered(number)).await;
    }
    place.connect().execute("UPDATE idempotency_records SET owner = x'00' WHERE rowid = 7", []).unwrap();
    let findings = store.check_integrity().await.unwrap();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].contains("column `owner` does not hold 16 bytes"), "{findings:?}");
    place.connect().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let mut bytes = fs::read(place.file()).unwrap();
    let page = usize::try_from(PAGE).unwrap();
    let last = bytes.len() - page;
    bytes[last..].fill(0xAA);
    fs::write(place.file(), bytes).unwrap();
    let findings = store.check_integrity().await;
    assert!(findings.as_ref().map_or(true, |findings| !findings.is_empty()), "{findings:?}");
}
