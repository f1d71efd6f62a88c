#![allow(unused)]

use idempotency::{Error, idempotent};

fn upgrade(old: u32) -> u64 {
    old.into()
}

#[idempotent(key = "order_no", ttl = "7d", version = 2, migrate = upgrade)]
async fn create(order_no: String) -> Result<u64, Error> {
    Ok(7)
}

fn main() {}
