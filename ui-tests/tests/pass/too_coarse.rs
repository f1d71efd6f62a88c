#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "tenant_id + product_id", ttl = "7d")]
async fn create(tenant_id: u64, product_id: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
