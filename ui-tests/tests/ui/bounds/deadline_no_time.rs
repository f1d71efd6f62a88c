#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", deadline = order_no, ttl = "7d")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
