#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + created_ms", ttl = "7d")]
async fn create(order_no: String, created_ms: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
