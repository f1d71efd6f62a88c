#![allow(unused)]

use idempotency::{Error, idempotent};

use idempotency::{CodecError, OldValue};

fn upgrade(old: OldValue<'_>) -> Result<(), CodecError> {
    old.json()
}

#[idempotent(key = "order_no", ttl = "7d", migrate = upgrade)]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

#[idempotent(key = "order_no", ttl = "7d", version = 1, migrate = upgrade)]
async fn create_first(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
