//! Several operations on one transaction.

use idempotency::store::SqliteTransaction;
use idempotency::{Status, StoreErrorKind, idempotent};

use crate::{End, OrderError, World, insert, kind};

#[tokio::test]
async fn operations_run_one_after_the_other() {
    let world = World::new().await;
    let tx = world.begin().await;
    for order_no in 1..=3 {
        assert!(world.place(&tx, order_no, End::Value).await.is_ok());
    }
    assert!(world.place(&tx, 4, End::Error(|| OrderError::Busy)).await.is_err());
    tx.commit().await.unwrap();
    assert_eq!(world.rows(), 3);
}

#[derive(Clone, Copy)]
struct Batch {
    first: End,
    own: End,
}

/// Places two orders in its body, then ends like this.
#[idempotent(
    key = "number",
    validate = none,
    ignore(world, batch),
    ttl = "7d",
    store = tx,
    allow(unknown-without-reconcile, reason = "a transaction asks nobody")
)]
async fn place_both(
    tx: &SqliteTransaction,
    number: i64,
    world: &World,
    batch: Batch,
) -> Result<u32, OrderError> {
    let first = world.place(tx, number, batch.first).await;
    world.place(tx, number + 1, End::Value).await?;
    insert(tx, number + 2).await?;
    match batch.own {
        End::Error(error) => Err(error()),
        _ => Ok(first.unwrap_or(0)),
    }
}

#[tokio::test]
async fn an_operation_may_run_in_the_body_of_another() {
    let world = World::new().await;
    let tx = world.begin().await;
    assert_eq!(place_both(&tx, 10, &world, Batch { first: End::Value, own: End::Value }).await, Ok(1));
    tx.commit().await.unwrap();
    assert_eq!((world.rows(), world.runs()), (3, 2));
    let tx = world.begin().await;
    assert_eq!(place_both(&tx, 10, &world, Batch { first: End::Value, own: End::Value }).await, Ok(1));
    assert_eq!(world.runs(), 2);
}

#[tokio::test]
async fn an_inner_operation_that_fails_is_undone_alone() {
    let world = World::new().await;
    let tx = world.begin().await;
    let batch = Batch { first: End::Error(|| OrderError::Busy), own: End::Value };
    assert_eq!(place_both(&tx, 10, &world, batch).await, Ok(0));
    tx.commit().await.unwrap();
    assert_eq!((world.rows(), world.record(10).await), (2, None));
    assert_eq!(world.status(11).await, Some(Status::Completed));
}

#[tokio::test]
async fn an_outer_operation_that_fails_undoes_the_inner_ones() {
    let world = World::new().await;
    let tx = world.begin().await;
    let batch = Batch { first: End::Value, own: End::Error(|| OrderError::Busy) };
    assert_eq!(place_both(&tx, 10, &world, batch).await, Err(OrderError::Busy));
    tx.commit().await.unwrap();
    assert_eq!((world.rows(), world.record(10).await, world.record(11).await), (0, None, None));
}

#[tokio::test]
async fn an_operation_beside_an_open_one_is_an_error_and_the_open_one_goes_on() {
    let world = World::new().await;
    let tx = world.begin().await;
    let (first, second) = tokio::join!(world.place(&tx, 1, End::Value), world.place(&tx, 2, End::Value));
    assert_eq!(first, Ok(1));
    let told = second.unwrap_err().to_string();
    assert!(told.contains("key `place:2`: another operation (key `place:1`) is open"), "{told}");
    assert!(told.contains("run operations on one transaction one after the other"), "{told}");
    tx.commit().await.unwrap();
    assert_eq!((world.rows(), world.record(2).await), (1, None));
}

/// Places its own order in its own body.
#[idempotent(key = "number", validate = none, ignore(deep), ttl = "7d", store = tx)]
async fn again(tx: &SqliteTransaction, number: i64, deep: bool) -> anyhow::Result<()> {
    if deep { Box::pin(again(tx, number, false)).await } else { Ok(()) }
}

#[tokio::test]
async fn the_same_key_in_its_own_body_is_an_error() {
    let world = World::new().await;
    let tx = world.begin().await;
    let told = again(&tx, 1, true).await.unwrap_err();
    assert!(told.to_string().contains("called its own operation with its own key"), "{told}");
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn an_operation_that_has_not_ended_keeps_the_commit_from_happening() {
    let world = World::new().await;
    let tx = world.begin().await;
    let store = tx.as_store().clone();
    let operation =
        idempotency::operation("pending").part("no", &1).ttl(idempotency::DEFAULT_LEASE).store(store);
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let pending = tokio::spawn(operation.run(async {
        begun.send(()).unwrap();
        std::future::pending::<Result<(), idempotency::Error>>().await
    }));
    has_begun.await.unwrap();
    let error = tx.commit().await.unwrap_err();
    assert_eq!(kind(&error), StoreErrorKind::RolledBack);
    assert!(error.to_string().contains("the operation with key `pending:1` has not ended"), "{error}");
    pending.abort();
    assert_eq!(world.rows(), 0);
}
