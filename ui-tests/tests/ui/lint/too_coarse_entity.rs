#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "product_id", ttl = "7d")]
async fn create(product_id: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
