//! What goes wrong around transactions: files that are replaced, observers that panic, closures that wait for themselves.

use std::fs;
use std::sync::Arc;

use idempotency::store::{SqliteStore, rusqlite};
use idempotency::{
    AnyStore, CallEvent, Change, Clock as _, Completion, DEFAULT_LEASE, Error, Observer, OwnerWrite,
    Store as _, StoreErrorKind, SystemClock, operation,
};

use crate::{End, SHORT, World, caught, drop_after, key, kind};

#[tokio::test]
async fn no_transaction_is_opened_on_a_file_that_took_the_place_of_the_stores() {
    for replace in [false, true] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("orders.db");
        let store = SqliteStore::open(&path).await.unwrap();
        let moved = directory.path().join("moved.db");
        fs::rename(&path, &moved).unwrap();
        if replace {
            fs::copy(&moved, &path).unwrap();
        }
        let error = store.begin().await.unwrap_err();
        assert_eq!(kind(&error), StoreErrorKind::Misconfigured);
        assert!(error.to_string().contains("removed, renamed or replaced while it was open"), "{error}");
        let error = store.check_integrity().await.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Misconfigured, "nor is another one looked at");
        assert_eq!(path.exists(), replace, "no new file is made");
        fs::rename(&moved, &path).unwrap();
        store.begin().await.unwrap().commit().await.unwrap();
    }
}

/// Panics when a key is claimed.
#[derive(Debug)]
struct Panics;

impl Observer for Panics {
    fn observe(&self, event: &CallEvent<'_>) {
        assert_ne!(event.decision.name(), "claimed");
    }
}

#[tokio::test]
async fn an_observer_that_panics_at_the_claim_leaves_no_operation_open() {
    let world = World::new().await;
    let handle = AnyStore::new(world.store.clone()).with_observer(Panics);
    let tx = world.begin().await.with_settings_of(&handle).unwrap();
    assert!(caught(world.place(&tx, 1, End::Value)).await.is_err());
    let error = tx.commit().await.unwrap_err();
    assert!(error.to_string().contains("was dropped half-way"), "{error}");
}

#[tokio::test]
async fn a_closure_that_waits_for_its_own_thread_is_told_so() {
    let world = World::new().await;
    let (tx, store) = (Arc::new(world.begin().await), world.store.clone());
    let (inner, handle) = (tx.clone(), tokio::runtime::Handle::current());
    let waits = tx.run(move |db| {
        let statements = handle.block_on(inner.run(|db| db.execute_batch("SELECT 1"))).unwrap_err();
        let call = operation("go").part("no", &1).ttl(DEFAULT_LEASE).store(&*inner);
        let called = handle.block_on(call.run(async { Ok::<_, Error>(()) })).unwrap_err();
        let second = handle.block_on(store.begin()).unwrap_err();
        db.execute("INSERT INTO orders VALUES (1, 1)", [])?;
        Ok([kind(&statements), called.store_error().unwrap().kind(), kind(&second)])
    });
    let told = tokio::time::timeout(DEFAULT_LEASE, waits).await.expect("it waits for itself");
    assert_eq!(told.unwrap(), [StoreErrorKind::Misconfigured; 3]);
    Arc::into_inner(tx).unwrap().commit().await.unwrap();
    assert_eq!(world.rows(), 1);
}

#[tokio::test]
async fn a_write_that_waits_is_made_although_a_transaction_that_waited_as_well_is_gone_with_the_store() {
    let world = World::new().await;
    let (owner, epoch) = world.claim(key(1)).await;
    let other = rusqlite::Connection::open(&world.path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let World { store, path: _path, runs: _, _directory } = world;
    {
        let mut begin = Box::pin(store.begin());
        assert!(tokio::time::timeout(SHORT, &mut begin).await.is_err());
        let release =
            OwnerWrite::new(key(1), owner, epoch, SystemClock::new().now(), DEFAULT_LEASE, Change::Release);
        assert!(!drop_after(1, store.write(release)).await);
    }
    drop(store);
    other.execute_batch("COMMIT").unwrap();
    tokio::time::sleep(SHORT * 10).await;
    let status: String =
        other.query_row("SELECT status FROM idempotency_records", [], |row| row.get(0)).unwrap();
    assert_eq!(status, "released");
}

#[tokio::test]
async fn a_value_too_large_by_hand_is_refused_in_a_transaction_as_outside_of_one() {
    let world = World::new().await;
    let value = "x".repeat(65 * 1024 * 1024);
    let completion = || Completion::new(&value, DEFAULT_LEASE).unwrap();
    let outside = AnyStore::new(world.store.clone()).mark_completed(&key(1), completion()).await;
    let tx = world.begin().await;
    let inside = tx.as_store().mark_completed(&key(2), completion()).await;
    for refused in [outside, inside] {
        assert_eq!(refused.unwrap_err().kind(), StoreErrorKind::TooLarge);
    }
}
