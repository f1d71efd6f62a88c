#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "hash(tenant_id, order_no)", ttl = "7d")]
async fn create(tenant_id: String, order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
