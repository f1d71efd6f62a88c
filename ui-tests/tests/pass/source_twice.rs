#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "50d", source = sqs + sns + sqs(retention = "14d"))]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
