#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "30d", source = sns + sqs(retention = "14d", dlq = "14d"))]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
