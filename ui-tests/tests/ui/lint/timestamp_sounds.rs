#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + order_ms", ttl = "7d")]
async fn create(order_no: String, order_ms: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
