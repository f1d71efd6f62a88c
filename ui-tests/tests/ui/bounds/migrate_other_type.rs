#![allow(unused)]

use idempotency::{Error, idempotent};

use idempotency::{CodecError, OldValue};

fn upgrade(old: OldValue<'_>) -> Result<String, CodecError> {
    old.json()
}

#[idempotent(key = "order_no", ttl = "7d", version = 2, migrate = upgrade)]
async fn create(order_no: String) -> Result<u64, Error> {
    Ok(7)
}

fn main() {}
