#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "30d", source = sqs + sqs(retention = "14d"))]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
