//! Other callers, while a transaction is open.

use std::sync::Arc;

use idempotency::{
    AnyStore, DEFAULT_LEASE, Error, ErrorKind, IdempotencyKey, OwnerToken, Store as _, StoreErrorKind,
    operation,
};

use crate::{End, OrderError, SHORT, World, insert, key, kind};

#[tokio::test]
async fn a_twin_waits_for_the_commit_and_gets_the_outcome() {
    let world = Arc::new(World::new().await);
    let tx = world.begin().await;
    assert_eq!(world.place(&tx, 1, End::Value).await, Ok(1));
    let twin = tokio::spawn({
        let world = world.clone();
        async move {
            let tx = world.begin().await;
            let placed = world.place(&tx, 1, End::Value).await;
            tx.commit().await.unwrap();
            placed
        }
    });
    tokio::time::sleep(SHORT).await;
    assert!(!twin.is_finished(), "it has to wait");
    tx.commit().await.unwrap();
    assert_eq!(twin.await.unwrap(), Ok(1));
    assert_eq!((world.rows(), world.runs()), (1, 1));
}

#[tokio::test]
async fn a_twin_runs_after_a_rollback() {
    let world = Arc::new(World::new().await);
    let tx = world.begin().await;
    assert_eq!(world.place(&tx, 1, End::Value).await, Ok(1));
    let twin = tokio::spawn({
        let world = world.clone();
        async move { world.store.transaction(async |tx| world.place(tx, 1, End::Value).await).await }
    });
    tokio::task::yield_now().await;
    tx.rollback().await;
    assert_eq!(twin.await.unwrap(), Ok(2));
    assert_eq!(world.rows(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_twins_one_runs() {
    let world = Arc::new(World::new().await);
    for order_no in 0..5 {
        let calls = (0..16).map(|_| {
            let world = world.clone();
            tokio::spawn(async move {
                let tx = world.begin().await;
                let placed = world.place(&tx, order_no, End::Value).await;
                tx.commit().await.unwrap();
                placed
            })
        });
        let calls: Vec<_> = calls.collect();
        for call in calls {
            assert_eq!(call.await.unwrap(), Ok(u32::try_from(order_no).unwrap() + 1));
        }
    }
    assert_eq!((world.rows(), world.runs()), (5, 5));
}

#[tokio::test]
async fn a_call_on_the_plain_store_waits_for_the_commit_and_readers_do_not() {
    let world = Arc::new(World::new().await);
    let tx = world.begin().await;
    insert(&tx, 1).await.unwrap();
    assert!(world.record(1).await.is_none(), "a reader sees what was committed before");
    let plain = tokio::spawn({
        let world = world.clone();
        async move { world.claim(key(1)).await }
    });
    tokio::time::sleep(SHORT).await;
    assert!(!plain.is_finished());
    tx.commit().await.unwrap();
    assert_eq!(plain.await.unwrap().0, OwnerToken::from_bytes([1; 16]));
}

#[tokio::test]
async fn who_waits_for_too_long_is_told_where_the_transaction_was_opened() {
    let world = World::with(|builder| builder.busy_timeout(SHORT)).await;
    let line = line!() + 1;
    let tx = world.store.begin().await.unwrap();
    let place = format!("a transaction that was opened at {}:{line}:", file!());
    let second = world.store.begin().await.unwrap_err();
    assert_eq!(kind(&second), StoreErrorKind::Busy);
    assert!(second.to_string().contains(&place), "{second}");
    let plain = operation("plain").part("no", &1).ttl(DEFAULT_LEASE).store(world.store.clone());
    let error = plain.run(async { Ok::<_, Error>(()) }).await.unwrap_err();
    let told = crate::ErrorText(&error).to_string();
    assert_eq!(error.kind(), ErrorKind::Store);
    assert!(told.contains(&place), "{told}");
    tx.rollback().await;
    world.store.begin().await.unwrap().rollback().await;
}

#[tokio::test]
async fn a_key_that_another_owner_holds_is_in_progress_at_once() {
    let world = World::new().await;
    world.claim(key(1)).await;
    world.claim(IdempotencyKey::from_stored("waits:1")).await;
    let tx = world.begin().await;
    let store = tx.as_store().clone();
    let waits = idempotency::InProgress::Wait(DEFAULT_LEASE);
    let refused = world.place(&tx, 1, End::Value).await.unwrap_err();
    assert!(refused.to_string().contains("another call with this key is running"), "{refused}");
    let waiting = operation("waits").part("no", &1).ttl(DEFAULT_LEASE).in_progress(waits).store(store);
    let error = waiting.run(async { Ok::<_, Error>(()) }).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InProgress);
    assert!(error.retry_after().is_some());
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn neither_transactions_nor_plain_calls_shut_the_other_out() {
    let world = Arc::new(World::with(|builder| builder.busy_timeout(DEFAULT_LEASE)).await);
    let transactions = tokio::spawn({
        let world = world.clone();
        async move {
            for order_no in 0..100 {
                let placed = world.store.transaction(async |tx| world.place(tx, order_no, End::Value).await);
                assert!(placed.await.is_ok());
            }
        }
    });
    let plain = tokio::spawn({
        let store = AnyStore::new(world.store.clone());
        async move {
            for number in 0..100 {
                let call = operation("many").part("no", &number).ttl(DEFAULT_LEASE).store(store.clone());
                call.run(async { Ok::<_, Error>(()) }).await.unwrap();
            }
        }
    });
    transactions.await.unwrap();
    plain.await.unwrap();
    assert_eq!(world.rows(), 100);
}

#[tokio::test]
async fn a_caller_that_no_longer_waits_for_its_transaction_gets_none() {
    let world = World::new().await;
    let tx = world.begin().await;
    assert!(tokio::time::timeout(SHORT, world.store.begin()).await.is_err());
    tx.commit().await.unwrap();
    let next = world.begin().await;
    assert_eq!(world.place(&next, 1, End::Value).await, Ok::<_, OrderError>(1));
    next.commit().await.unwrap();
    assert!(world.store.inspect(&key(1)).await.unwrap().is_some());
}
