//! Damaged files: every call is a typed error that names the file, or the right answer. No key that has an outcome
//! is ever granted again.

#![cfg(feature = "sqlite")]

mod sqlite_support;

use std::fs;

use idempotency_conformance::script::{BOB, TTL, after};
use idempotency_runtime::{Claim, Store, StoreErrorKind as Kind};
use idempotency_stores::SqliteStore;

use crate::sqlite_support::{Place, assert_error, claim_by, finish, numbered};

#[tokio::test]
async fn a_file_that_is_no_database_is_named_and_left_as_it_is() {
    let place = Place::new();
    let text = "order;customer\n".repeat(1_000);
    fs::write(place.file(), &text).unwrap();
    let file = place.file().display().to_string();
    assert_error(SqliteStore::open(place.file()).await, Kind::Corrupt, &[&file, "is not a SQLite database"]);
    assert_eq!(fs::read_to_string(place.file()).unwrap(), text);
}

/// The bytes of a file with the finished keys `0..count`, all of them in the main file.
async fn finished_file(count: usize) -> Vec<u8> {
    let place = Place::new();
    let store = place.open().await;
    for number in 0..count {
        finish(&store, &numbered(number)).await;
    }
    let all_in_main = place.connect().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
    assert_eq!(all_in_main, Ok(0));
    fs::read(place.file()).unwrap()
}

/// Opens `bytes` as a file; expects that no finished key is granted, and that some call says *corrupt*.
async fn assert_damaged(bytes: &[u8], count: usize) {
    let place = Place::new();
    fs::write(place.file(), bytes).unwrap();
    let file = place.file().display().to_string();
    let store = match SqliteStore::open(place.file()).await {
        Ok(store) => store,
        error => {
            assert_error(error, Kind::Corrupt, &[&file]);
            return;
        }
    };
    let mut corrupt = 0;
    for number in 0..count {
        match store.claim(claim_by(&numbered(number), BOB)).await {
            Ok(answer) => assert!(matches!(answer, Claim::Final(_)), "{number}: {answer:?}"),
            error => {
                assert_error(error, Kind::Corrupt, &[&file]);
                corrupt += 1;
            }
        }
    }
    // The index of retentions is used by these only.
    let purged = store.purge(after(2 * TTL), count).await;
    if purged.is_err() {
        assert_error(purged, Kind::Corrupt, &[&file]);
        corrupt += 1;
    }
    assert!(corrupt > 0, "the damage was not found");
}

#[tokio::test]
async fn a_damaged_first_page_is_corrupt() {
    let mut bytes = finished_file(10).await;
    bytes[..16].fill(0xFF);
    assert_damaged(&bytes, 10).await;
}

#[tokio::test]
async fn a_damaged_page_is_corrupt_wherever_it_is() {
    let bytes = finished_file(100).await;
    let pages = bytes.len() / 4096;
    assert!(pages > 6, "{pages}");
    for filling in [0x00, 0xFF] {
        for page in 1..pages {
            let mut damaged = bytes.clone();
            damaged[page * 4096..(page + 1) * 4096].fill(filling);
            eprintln!("page {page} of {pages} filled with {filling:#x}");
            assert_damaged(&damaged, 100).await;
        }
    }
}

#[tokio::test]
async fn a_truncated_file_is_corrupt_wherever_it_ends() {
    let bytes = finished_file(100).await;
    for length in [1, 50, 100, 4095, 4096, 4097, bytes.len() / 2, bytes.len() - 4096, bytes.len() - 1] {
        eprintln!("{length} of {} bytes", bytes.len());
        assert_damaged(&bytes[..length], 100).await;
    }
}
