#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "hash(tenant_id)", ttl = "7d")]
async fn create(tenant_id: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
