#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "tenant_id + hash(lower(email))", ttl = "7d")]
async fn create(tenant_id: u64, email: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
