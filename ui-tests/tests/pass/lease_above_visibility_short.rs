#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "4d", source = sqs(retention = "4d", visibility = "6s"))]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
