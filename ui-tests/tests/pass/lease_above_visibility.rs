#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "4d", lease = "58s", source = sqs(visibility = "60s"))]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
