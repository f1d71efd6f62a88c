#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "4d", source = sqs(retention = "4d", visibility = "5s"))]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
