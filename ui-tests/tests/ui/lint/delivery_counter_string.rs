#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + attempt", ttl = "7d")]
async fn create(order_no: String, attempt: u32) -> Result<(), Error> {
    Ok(())
}

fn main() {}
