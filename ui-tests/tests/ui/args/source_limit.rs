#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "30d", source = sqs(retention = "15d"))]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
