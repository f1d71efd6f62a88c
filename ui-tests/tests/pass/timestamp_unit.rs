#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + timeout_ms", ttl = "7d")]
async fn create(order_no: String, timeout_ms: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
