//! Processes that die in the middle of a transaction: record and row are both there, or neither.
//!
//! `IDEMPOTENCY_CRASH_ROUNDS` says how many processes are killed at a random moment (12 by default), and
//! `IDEMPOTENCY_CRASH_SEED` which random numbers; the seed of a run is printed. Moments are real, so a seed repeats the
//! choices and not the moments.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use fastrand::Rng;
use idempotency::store::{SqliteStore, rusqlite};
use idempotency::{Status, Store as _};

use crate::{End, TABLE, insert, key, place};

const FILE: &str = "IDEMPOTENCY_CRASH_FILE";
const POINT: &str = "IDEMPOTENCY_CRASH_POINT";

/// Where a process kills itself.
const POINTS: [&str; 5] = ["begun", "row written", "body ended", "caller's row written", "committed"];

/// The process of the tests below: it has a file and a point in its environment.
#[test]
fn a_process_of_the_tests_below() {
    let Ok(path) = std::env::var(FILE) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    match std::env::var(POINT) {
        Ok(point) => runtime.block_on(die_at(&path, &point)),
        Err(_) => runtime.block_on(place_for_ever(&path)),
    }
}

async fn die_at(path: &str, point: &str) {
    let reached = |here: &str| {
        if here == point {
            // As SIGKILL does: nothing is flushed, nothing is dropped.
            std::process::abort();
        }
    };
    let store = SqliteStore::open(path).await.unwrap();
    let tx = store.begin().await.unwrap();
    reached("begun");
    let end = if point == "row written" { End::Never } else { End::Value };
    let placed = place(&tx, 1, end, Arc::default());
    if tokio::time::timeout(Duration::from_millis(300), placed).await.is_err() {
        reached("row written");
    }
    reached("body ended");
    insert(&tx, 1_000).await.unwrap();
    reached("caller's row written");
    tx.commit().await.unwrap();
    reached("committed");
}

/// Places orders 0, 1, … and says each when its commit is acknowledged.
async fn place_for_ever(path: &str) {
    let store = SqliteStore::open(path).await.unwrap();
    for order_no in 0.. {
        let tx = store.begin().await.unwrap();
        place(&tx, order_no, End::Value, Arc::default()).await.unwrap();
        tx.commit().await.unwrap();
        println!("acknowledged {order_no}");
    }
}

fn process(path: &Path, point: Option<&str>) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "crash::a_process_of_the_tests_below", "--nocapture", "--test-threads=1"]);
    command.env(FILE, path).stderr(Stdio::null());
    if let Some(point) = point {
        command.env(POINT, point);
    }
    command
}

/// An empty file with the table of orders.
fn new_file(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("orders.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch(TABLE).unwrap();
    path
}

/// How often the order stands in the table.
fn rows(connection: &rusqlite::Connection, order_no: i64) -> i64 {
    connection.query_row("SELECT count(*) FROM orders WHERE no = ?1", [order_no], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn a_process_that_dies_at_any_point_leaves_record_and_rows_or_neither() {
    for point in POINTS {
        let folder = tempfile::tempdir().unwrap();
        let path = new_file(folder.path());
        let died = process(&path, Some(point)).stdout(Stdio::null()).status().unwrap();
        assert!(!died.success(), "{point}: the process was to die");
        let store = SqliteStore::open(&path).await.unwrap();
        let record = store.inspect(&key(1)).await.unwrap().map(|record| record.status);
        let connection = rusqlite::Connection::open(&path).unwrap();
        let found = (record, rows(&connection, 1), rows(&connection, 1_000));
        let expected = if point == "committed" { (Some(Status::Completed), 1, 1) } else { (None, 0, 0) };
        assert_eq!(found, expected, "{point}");
        // Without a lease to wait for.
        let placed = store.transaction(async |tx| place(tx, 1, End::Value, Arc::default()).await).await;
        assert_eq!((placed, rows(&connection, 1)), (Ok(1), 1), "{point}");
    }
}

#[tokio::test]
async fn a_process_that_is_killed_at_a_random_moment_loses_nothing_that_was_acknowledged() {
    let number_from = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number_from("IDEMPOTENCY_CRASH_SEED").unwrap_or_else(|| fastrand::u64(..));
    println!("replay with IDEMPOTENCY_CRASH_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    let mut all = 0;
    for round in 0..number_from("IDEMPOTENCY_CRASH_ROUNDS").unwrap_or(12) {
        let folder = tempfile::tempdir().unwrap();
        let path = new_file(folder.path());
        let acknowledged = kill_after(&path, random.u64(..40), random.u64(..2_000));
        all += acknowledged;
        let store = SqliteStore::open(&path).await.unwrap();
        let connection = rusqlite::Connection::open(&path).unwrap();
        // One more may have been committed without having been said.
        for order_no in 0..acknowledged + 2 {
            let record = store.inspect(&key(order_no)).await.unwrap();
            let completed = record.is_some_and(|record| record.status == Status::Completed);
            let told = (round, order_no, acknowledged);
            assert_eq!(rows(&connection, order_no), i64::from(completed), "seed {seed}: {told:?}");
            assert!(completed || order_no >= acknowledged, "seed {seed}: {told:?} is lost");
            let placed = store.transaction(async |tx| place(tx, order_no, End::Value, Arc::default()).await);
            assert_eq!((placed.await, rows(&connection, order_no)), (Ok(1), 1), "seed {seed}: {told:?}");
        }
    }
    assert!(all > 0, "seed {seed}: no process got as far as one order");
}

/// Kills a process so many microseconds after it has acknowledged so many orders; says how many it had.
fn kill_after(path: &Path, orders: u64, microseconds: u64) -> i64 {
    let mut process = process(path, None).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut acknowledged = 0;
    let mut count = |line: &str| acknowledged += i64::from(line.contains("acknowledged"));
    while let Some(Ok(line)) = lines.next() {
        count(&line);
        if line.ends_with(&format!("acknowledged {orders}")) {
            break;
        }
    }
    std::thread::sleep(Duration::from_micros(microseconds));
    process.kill().unwrap();
    process.wait().unwrap();
    // What it has said before it died.
    lines.map_while(Result::ok).for_each(|line| count(&line));
    acknowledged
}
