#![allow(unused)]

use idempotency::{Error, idempotent};

struct OrderError;

#[idempotent(key = "order_no", ttl = "7d", codec = idempotency::JsonCodec)]
async fn create(order_no: String) -> Result<u64, OrderError> {
    Ok(7)
}

fn main() {}
