#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + op", ttl = "7d")]
async fn create(order_no: Option<String>) -> Result<(), Error> {
    Ok(())
}

fn main() {}
