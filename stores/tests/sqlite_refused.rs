//! Places that refuse a write: missing, locked and full ones. Nothing is granted and nothing is lost.

#![cfg(feature = "sqlite")]

mod sqlite_support;

use std::fs;
use std::path::Path;
use std::time::Duration;

use idempotency_conformance::script::{BOB, CAT, Held, START, TTL, after, lease_dead};
use idempotency_runtime::{
    Claim, Durability, IdempotencyKey, Previous, Status, Store, StoreErrorKind as Kind, Written,
};
use idempotency_stores::{SqliteStore, Synchronous};
use rusqlite::Connection;

use crate::sqlite_support::{
    Place, acquire, assert_error, claim_by, claim_of, finish, numbered, poll_once, try_acquire,
};

#[tokio::test]
async fn a_missing_directory_is_named_and_not_made() {
    let place = Place::new();
    let missing = place.directory().join("not-there");
    let parts = [&*missing.display().to_string(), "does not exist", "create it"];
    assert_error(SqliteStore::open(missing.join("records.db")).await, Kind::Misconfigured, &parts);
    assert!(!missing.exists());
}

#[tokio::test]
async fn a_directory_is_no_file() {
    let place = Place::new();
    let parts = ["is a directory", "name a file in it"];
    assert_error(SqliteStore::open(place.directory()).await, Kind::Misconfigured, &parts);
}

#[tokio::test]
async fn a_name_for_memory_is_no_file() {
    for name in ["", ":memory:"] {
        let opened = SqliteStore::open(name).await;
        assert_error(opened, Kind::Misconfigured, &["is not a file", "`MemoryStore`"]);
    }
}

#[tokio::test]
async fn the_identity_is_the_absolute_path_without_links() {
    let place = Place::new();
    let store = place.open().await;
    let file = place.file().canonicalize().unwrap();
    assert_eq!(store.identity(), format!("sqlite:{}", file.display()));
    let roundabout = place.directory().join(".").join("..").join(place.directory().file_name().unwrap());
    let again = SqliteStore::open(roundabout.join("records.db")).await.unwrap();
    assert_eq!(again.identity(), store.identity());
}

#[tokio::test]
async fn a_store_says_what_its_writes_are_worth() {
    let place = Place::new();
    assert_eq!(place.open().await.capabilities().durability, Durability::Durable);
    let fast = SqliteStore::builder(place.file()).synchronous(Synchronous::Normal).open().await.unwrap();
    assert_eq!(fast.capabilities().durability, Durability::MayLoseAcknowledged);
}

/// A store that does not wait for long, and a connection that holds the write lock.
async fn locked(place: &Place) -> (SqliteStore, Connection) {
    let patience = Duration::from_millis(50);
    let store = SqliteStore::builder(place.file()).busy_timeout(patience).open().await.unwrap();
    (store, place.connect())
}

#[tokio::test]
async fn a_lock_that_is_not_released_is_busy_and_nothing_is_written() {
    let place = Place::new();
    let (store, other) = locked(&place).await;
    let held = acquire(&store, claim_of(&numbered(1))).await;
    let before = store.inspect(&numbered(1)).await.unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    let parts = ["records.db", "locked", "nothing was written"];
    let error = assert_error(store.claim(claim_of(&numbered(2))).await, Kind::Busy, &parts);
    assert!(error.is_retryable());
    assert_error(store.write(held.complete(START)).await, Kind::Busy, &parts);
    assert_error(store.evict(held.evict()).await, Kind::Busy, &parts);
    assert_error(store.ready().await, Kind::Busy, &parts);

    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(store.inspect(&numbered(1)).await.unwrap(), before);
    assert_eq!(store.inspect(&numbered(2)).await.unwrap(), None);
    assert!(matches!(store.write(held.complete(START)).await, Ok(Written::Applied { .. })));
    acquire(&store, claim_of(&numbered(2))).await;
}

#[tokio::test]
async fn calls_that_write_nothing_do_not_wait_for_the_lock() {
    let place = Place::new();
    let (store, other) = locked(&place).await;
    finish(&store, &numbered(1)).await;
    let held = acquire(&store, claim_of(&numbered(2))).await;
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    let replay = store.claim(claim_by(&numbered(1), BOB)).await.unwrap();
    assert!(matches!(replay, Claim::Final(_)), "{replay:?}");
    let running = store.claim(claim_by(&numbered(2), BOB)).await.unwrap();
    assert!(matches!(running, Claim::InProgress { .. }), "{running:?}");
    let again = store.claim(claim_of(&numbered(2))).await.unwrap();
    assert!(matches!(again, Claim::Acquired { previous: Previous::Own, .. }), "{again:?}");
    assert!(matches!(store.write(held.renew(START)).await, Ok(Written::Applied { .. })));
    assert!(store.inspect(&numbered(2)).await.unwrap().is_some());
    assert_eq!(store.purge(START, 10).await.unwrap(), 0);
}

#[tokio::test]
async fn a_call_behind_one_that_waits_for_the_lock_is_served_if_it_writes_nothing() {
    let place = Place::new();
    let store = place.open().await;
    finish(&store, &numbered(1)).await;
    let other = place.connect();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut waiting: Vec<_> =
        (2..5).map(|number| Box::pin(store.claim(claim_of(&numbered(number))))).collect();
    for claim in &mut waiting {
        assert!(poll_once(claim).is_none());
    }

    for _ in 0..3 {
        let replay = store.claim(claim_by(&numbered(1), BOB)).await.unwrap();
        assert!(matches!(replay, Claim::Final(_)), "{replay:?}");
    }
    assert!(waiting.iter_mut().all(|claim| poll_once(claim).is_none()), "written past the lock");
    other.execute_batch("ROLLBACK").unwrap();
    for claim in waiting {
        assert!(matches!(claim.await, Ok(Claim::Acquired { .. })));
    }
}

#[tokio::test]
async fn all_calls_that_wait_for_a_lock_in_vain_are_busy() {
    let place = Place::new();
    let (store, other) = locked(&place).await;
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let claims: Vec<_> = (0..20).map(|number| (numbered(number), store.clone())).collect();
    let mut calls: Vec<_> = claims.iter().map(|(key, store)| Box::pin(store.claim(claim_of(key)))).collect();
    for call in &mut calls {
        assert!(poll_once(call).is_none());
    }
    for call in calls {
        assert_error(call.await, Kind::Busy, &["nothing was written"]);
    }
    other.execute_batch("ROLLBACK").unwrap();
    acquire(&store, claim_of(&numbered(0))).await;
}

#[tokio::test]
async fn a_claim_that_waits_for_the_lock_decides_on_what_it_then_finds() {
    let place = Place::new();
    let (first, second) = (place.open().await, place.open().await);
    let other = place.connect();
    acquire(&first, claim_of(&numbered(1))).await;
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    // Both see a dead lease and wait for the lock to take it over.
    let takeover = |owner| {
        let mut claim = claim_by(&numbered(1), owner);
        claim.now = lease_dead();
        claim.lease_until = claim.now.plus(Duration::from_secs(30));
        claim
    };
    let (bob, cat) = (first.claim(takeover(BOB)), second.claim(takeover(CAT)));
    let release = async { other.execute_batch("ROLLBACK").unwrap() };
    let (bob, cat, ()) = tokio::join!(bob, cat, release);
    let answers = [bob.unwrap(), cat.unwrap()];
    let granted = answers.iter().filter(|answer| matches!(answer, Claim::Acquired { .. })).count();
    let refused = answers.iter().filter(|answer| matches!(answer, Claim::InProgress { .. })).count();
    assert_eq!((granted, refused), (1, 1), "{answers:?}");
}

#[tokio::test]
async fn a_claim_whose_caller_is_gone_before_its_turn_is_not_made() {
    let place = Place::new();
    let store = place.open().await;
    let held = acquire(&store, claim_of(&numbered(1))).await;
    let other = place.connect();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    let mut waiting = Box::pin(store.claim(claim_of(&numbered(2))));
    assert!(poll_once(&mut waiting).is_none());
    let mut completion = Box::pin(store.write(held.complete(START)));
    assert!(poll_once(&mut completion).is_none());
    let mut dropped = Box::pin(store.claim(claim_of(&numbered(3))));
    assert!(poll_once(&mut dropped).is_none());
    drop((completion, dropped));
    other.execute_batch("ROLLBACK").unwrap();

    assert!(matches!(waiting.await, Ok(Claim::Acquired { .. })));
    assert_eq!(store.inspect(&numbered(3)).await.unwrap(), None);
    // What an owner has to say is recorded although nobody waits for the answer.
    assert_eq!(store.inspect(&numbered(1)).await.unwrap().unwrap().status, Status::Completed);
}

/// Finishes keys until the store is full; says how many are finished, and who holds the next if its completion
/// was the call that found no room.
async fn fill(store: &SqliteStore, file: &Path) -> (usize, Option<Held>) {
    let parts = [&*file.display().to_string(), "no room", "nothing was written"];
    for number in 0..100_000 {
        let held = match try_acquire(store, claim_of(&numbered(number))).await {
            Ok(held) => held,
            full => {
                assert_error(full.map(drop), Kind::Full, &parts);
                return (number, None);
            }
        };
        let written = store.write(held.complete(START)).await;
        if written.is_err() {
            assert_error(written, Kind::Full, &parts);
            return (number, Some(held));
        }
    }
    panic!("the store took 100,000 records");
}

/// A full store replays what it has, grants nothing, and goes on when there is room again.
async fn assert_serves_while_full(
    store: &SqliteStore,
    file: &Path,
    make_room: impl AsyncFnOnce(&SqliteStore),
) {
    let (finished, held) = fill(store, file).await;
    assert!(finished > 10, "{finished}");
    let next: IdempotencyKey = numbered(finished);
    for number in 0..finished {
        let replay = store.claim(claim_by(&numbered(number), BOB)).await.unwrap();
        assert!(matches!(replay, Claim::Final(_)), "{number}: {replay:?}");
    }
    let status = store.inspect(&next).await.unwrap().map(|record| record.status);
    assert_eq!(status, held.as_ref().map(|_| Status::InProgress));
    make_room(store).await;
    let held = match held {
        Some(held) => held,
        None => acquire(store, claim_of(&next)).await,
    };
    assert!(matches!(store.write(held.complete(START)).await, Ok(Written::Applied { .. })));
}

#[tokio::test]
async fn a_file_at_its_bound_is_full_until_it_is_purged() {
    let place = Place::new();
    let store = SqliteStore::builder(place.file()).max_file_bytes(100_000).open().await.unwrap();
    assert_serves_while_full(&store, &place.file(), async |store| {
        assert!(store.purge(after(2 * TTL), 100).await.unwrap() > 0);
    })
    .await;
    assert!(fs::metadata(place.file()).unwrap().len() <= 100_000);
}

#[tokio::test]
async fn a_bound_below_the_present_size_keeps_the_file_usable() {
    let place = Place::new();
    finish(&place.open().await, &numbered(1)).await;
    let store = SqliteStore::builder(place.file()).max_file_bytes(0).open().await.unwrap();
    store.ready().await.unwrap();
    assert!(matches!(store.claim(claim_by(&numbered(1), BOB)).await, Ok(Claim::Final(_))));
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_is_no_longer_the_one_at_its_path_is_not_written() {
    for lost in ["records.db", "records.db-wal"] {
        for replace in [false, true] {
            let place = Place::new();
            let store = place.open().await;
            finish(&store, &numbered(1)).await;
            let path = place.directory().join(lost);
            let moved = place.directory().join("moved");
            fs::rename(&path, &moved).unwrap();
            if replace {
                fs::copy(&moved, &path).unwrap();
            }
            // A look at the file is good for 10 ms of the system's time.
            tokio::time::sleep(Duration::from_millis(11)).await;
            let parts = ["removed, renamed or replaced while it was open", "nothing was written"];
            assert_error(try_acquire(&store, claim_of(&numbered(2))).await, Kind::Misconfigured, &parts);
            fs::rename(&moved, &path).unwrap();
            finish(&store, &numbered(2)).await;
        }
    }
}

#[tokio::test]
async fn a_path_that_reads_like_a_uri_is_a_path() {
    let place = Place::new();
    let file = place.directory().join("file:orders.db?mode=memory");
    let store = SqliteStore::open(&file).await.unwrap();
    finish(&store, &numbered(1)).await;
    assert!(file.exists());
    assert_eq!(store.identity(), format!("sqlite:{}", file.canonicalize().unwrap().display()));
}
