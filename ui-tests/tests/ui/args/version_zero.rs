#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", version = 0)]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
