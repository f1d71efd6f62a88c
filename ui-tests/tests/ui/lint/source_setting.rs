#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", source = sqs(retain = "4d"))]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
