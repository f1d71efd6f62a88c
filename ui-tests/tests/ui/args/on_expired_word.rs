#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", on_expired = "reject", tombstone = "30d")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
