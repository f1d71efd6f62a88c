#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String, amount: u64, db: &str) -> Result<(), Error> {
    Ok(())
}

fn main() {}
