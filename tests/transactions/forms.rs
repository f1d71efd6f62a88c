//! A transaction stands wherever a store does, and needs no `ignore`.
#![deny(warnings)]

use std::sync::Arc;

use idempotency::store::SqliteTransaction;
use idempotency::{Error, idempotent};

use crate::World;

#[idempotent(key = "order_no", ttl = "7d", store = tx)]
async fn by_reference(tx: &SqliteTransaction, order_no: u64) -> Result<u64, Error> {
    Ok(order_no)
}

#[idempotent(key = "order_no", ttl = "7d", store = tx)]
async fn shared(tx: Arc<SqliteTransaction>, order_no: u64) -> Result<u64, Error> {
    drop(tx);
    Ok(order_no)
}

struct Orders<'t> {
    tx: &'t SqliteTransaction,
}

impl Orders<'_> {
    #[idempotent(key = "order_no", ttl = "7d", op = "orders.place", store = self.tx)]
    async fn place(&self, order_no: u64) -> Result<u64, Error> {
        Ok(order_no)
    }
}

#[tokio::test]
async fn by_reference_shared_and_in_a_field() {
    let world = World::new().await;
    let tx = Arc::new(world.begin().await);
    assert_eq!(by_reference(&tx, 1).await.unwrap(), 1);
    assert_eq!(shared(tx.clone(), 2).await.unwrap(), 2);
    assert_eq!(Orders { tx: &tx }.place(3).await.unwrap(), 3);
    Arc::into_inner(tx).expect("nobody else has it").commit().await.unwrap();
    for key in ["by_reference:1", "shared:2", "orders.place:3"] {
        let key = idempotency::IdempotencyKey::from_stored(key);
        assert!(idempotency::Store::inspect(&world.store, &key).await.unwrap().is_some(), "{key}");
    }
}
