//! Many callers of one store, whose calls share transactions.

#![cfg(feature = "sqlite")]

mod sqlite_support;

use std::sync::{Arc, Mutex};

use idempotency_conformance::script::START;
use idempotency_runtime::{Store as _, Written};
use idempotency_stores::SqliteStore;
use rusqlite::Connection;

use crate::sqlite_support::{Place, acquire, claim_of, numbered};

const CALLERS: usize = 32;
const CALLS: usize = 8;

/// What everybody else finds under a key.
fn status(connection: &Mutex<Connection>, number: usize) -> Option<String> {
    let status = "SELECT status FROM idempotency_records WHERE key = ?1";
    let connection = connection.lock().unwrap();
    connection.query_row(status, [numbered(number).as_str()], |row| row.get(0)).ok()
}

async fn call(store: &SqliteStore, others: &Mutex<Connection>, number: usize) {
    let held = acquire(store, claim_of(&numbered(number))).await;
    assert_eq!(status(others, number).as_deref(), Some("in_progress"), "the claim of {number} was answered");
    assert!(matches!(store.write(held.complete(START)).await.unwrap(), Written::Applied { .. }));
    assert_eq!(status(others, number).as_deref(), Some("completed"), "the outcome of {number} was answered");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_was_answered_is_seen_by_every_other_connection() {
    let place = Place::new();
    let store = SqliteStore::builder(place.file()).purge_every(None).open().await.unwrap();
    let others = Arc::new(Mutex::new(place.connect()));
    let callers: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let (store, others) = (store.clone(), others.clone());
            tokio::spawn(async move {
                for number in caller * CALLS..(caller + 1) * CALLS {
                    call(&store, &others, number).await;
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
}
