#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", detached(spawn))]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
