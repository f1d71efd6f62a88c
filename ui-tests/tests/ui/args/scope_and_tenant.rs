#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "tenant_id + order_no", scope = global, ttl = "7d")]
async fn create(tenant_id: u64, order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
