#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d")]
const fn create(order_no: u8) -> Result<(), u8> {
    Ok(())
}

fn main() {}
