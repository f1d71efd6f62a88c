//! A row once, whoever asks for it and however it goes wrong.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use rusqlite::{OptionalExtension as _, params};

use super::*;

const TABLES: &str = "
    PRAGMA journal_mode = WAL;
    CREATE TABLE orders (
        id INTEGER PRIMARY KEY, order_no TEXT NOT NULL UNIQUE, total INTEGER NOT NULL CHECK (total > 0), hash BLOB NOT NULL
    );
    CREATE TABLE lines (order_no TEXT NOT NULL, sku TEXT NOT NULL UNIQUE);";

fn database() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(TABLES).unwrap();
    connection
}

fn hash(total: i64) -> RequestHash {
    RequestHash::of(&total).unwrap()
}

fn insert(connection: &Connection, order_no: &str, total: i64) -> rusqlite::Result<i64> {
    connection.query_row(
        "INSERT INTO orders (order_no, total, hash) VALUES (?1, ?2, ?3) RETURNING id",
        params![order_no, total, hash(total)],
        |row| row.get(0),
    )
}

fn existing(connection: &Connection, order_no: &str) -> rusqlite::Result<Option<(RequestHash, i64)>> {
    let found = "SELECT hash, id FROM orders WHERE order_no = ?1";
    connection.query_row(found, [order_no], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

fn place(connection: &Connection, order_no: &str, total: i64) -> Result<Inserted<i64>, InsertError> {
    insert_once(connection, hash(total), |c| insert(c, order_no, total), |c| existing(c, order_no))
}

fn count(connection: &Connection, table: &str) -> i64 {
    connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

#[test]
fn the_first_call_inserts_and_a_repeated_one_gets_the_row() {
    let connection = database();
    assert_eq!(place(&connection, "1", 5).unwrap(), Inserted::New(1));
    assert_eq!(place(&connection, "1", 5).unwrap(), Inserted::Existing(1));
    assert_eq!(place(&connection, "2", 5).unwrap(), Inserted::New(2));
    assert_eq!((count(&connection, "orders"), connection.is_autocommit()), (2, true));
}

#[test]
fn another_request_under_the_key_is_a_mismatch_and_changes_nothing() {
    let connection = database();
    place(&connection, "1", 5).unwrap();
    assert!(matches!(place(&connection, "1", 6), Err(InsertError::Mismatch)));
    assert_eq!(place(&connection, "1", 5).unwrap(), Inserted::Existing(1));
    assert!(connection.is_autocommit());
}

#[test]
fn an_insertion_that_does_nothing_on_conflict_is_one_that_was_refused() {
    let connection = database();
    let place = || {
        let insert = |c: &Connection| {
            let insert = "INSERT INTO orders (order_no, total, hash) VALUES ('1', 5, ?1)
                ON CONFLICT DO NOTHING RETURNING id";
            c.query_row(insert, [hash(5)], |row| row.get::<_, i64>(0))
        };
        insert_once(&connection, hash(5), insert, |c| existing(c, "1")).unwrap()
    };
    assert_eq!((place(), place()), (Inserted::New(1), Inserted::Existing(1)));
}

#[test]
fn its_own_half_written_row_is_not_taken_for_one_that_was_there() {
    let connection = database();
    connection.execute("INSERT INTO lines VALUES ('0', 'sku')", []).unwrap();
    let insert = |c: &Connection| {
        let id = insert(c, "1", 5)?;
        c.execute("INSERT INTO lines VALUES ('1', 'sku')", [])?;
        Ok(id)
    };
    let error = insert_once(&connection, hash(5), insert, |c| existing(c, "1")).unwrap_err();
    assert!(matches!(error, InsertError::Sqlite(_)), "{error:?}");
    assert_eq!((count(&connection, "orders"), count(&connection, "lines")), (0, 1));
}

#[test]
fn another_constraint_is_an_error_and_nothing_is_left() {
    let connection = database();
    assert!(matches!(place(&connection, "1", 0), Err(InsertError::Sqlite(_))));
    assert_eq!((count(&connection, "orders"), connection.is_autocommit()), (0, true));
}

#[test]
fn within_a_transaction_the_row_commits_with_the_rest() {
    let mut connection = database();
    for commits in [false, true] {
        let transaction = connection.transaction().unwrap();
        transaction.execute("INSERT INTO lines VALUES ('1', 'sku')", []).unwrap();
        assert_eq!(place(&transaction, "1", 5).unwrap(), Inserted::New(1));
        assert_eq!(place(&transaction, "1", 5).unwrap(), Inserted::Existing(1));
        assert!(matches!(place(&transaction, "1", 6), Err(InsertError::Mismatch)));
        assert!(!transaction.is_autocommit(), "the caller's transaction goes on");
        let ended = if commits { transaction.commit() } else { transaction.rollback() };
        assert_eq!(ended, Ok(()));
        let rows = i64::from(commits);
        assert_eq!((count(&connection, "orders"), count(&connection, "lines")), (rows, rows));
    }
}

#[test]
fn a_panic_leaves_nothing_behind() {
    let connection = database();
    let panics = catch_unwind(AssertUnwindSafe(|| {
        let insert = |c: &Connection| -> rusqlite::Result<i64> {
            insert(c, "1", 5)?;
            panic!("half-way")
        };
        insert_once(&connection, hash(5), insert, |c| existing(c, "1"))
    }));
    assert!(panics.is_err());
    assert_eq!((count(&connection, "orders"), connection.is_autocommit()), (0, true));
}

#[test]
fn of_many_who_place_the_same_order_one_inserts_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("orders.db");
    let open = || {
        let connection = Connection::open(&path).unwrap();
        connection.busy_timeout(Duration::from_secs(60)).unwrap();
        connection
    };
    open().execute_batch(TABLES).unwrap();
    for round in 0..10 {
        let order_no = round.to_string();
        let barrier = Barrier::new(4);
        let placed: Vec<_> = thread::scope(|scope| {
            let call = || {
                let connection = open();
                barrier.wait();
                // One that reads first keeps what it has read in view, and may not write beside others.
                let insert = |c: &Connection| {
                    assert!(count(c, "orders") >= 0);
                    insert(c, &order_no, 5)
                };
                insert_once(&connection, hash(5), insert, |c| existing(c, &order_no)).unwrap()
            };
            let calls: Vec<_> = (0..4).map(|_| scope.spawn(call)).collect();
            calls.into_iter().map(|call| call.join().unwrap()).collect()
        });
        assert_eq!(placed.iter().filter(|placed| placed.is_new()).count(), 1);
        let ids: Vec<_> = placed.into_iter().map(Inserted::into_inner).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    }
    assert_eq!(count(&open(), "orders"), 10);
}

#[test]
fn an_insertion_that_ends_the_transaction_of_its_caller_is_told_with_its_own_error() {
    let connection = database();
    place(&connection, "ORD-1", 5).unwrap();
    connection.execute_batch("BEGIN").unwrap();
    let insert = |connection: &Connection| {
        let insert = "INSERT OR ROLLBACK INTO orders (order_no, total, hash) VALUES ('ORD-1', 5, x'00')";
        connection.execute(insert, []).map(|_| 0)
    };
    let error = insert_once(&connection, hash(5), insert, |c| existing(c, "ORD-1")).unwrap_err();
    assert!(matches!(&error, InsertError::Sqlite(error) if is_taken(error)), "{error:?}");
}
