#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", source = kafka(retention = "7d"))]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
