#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "tenant_id['x'", ttl = "7d")]
async fn create(tenant_id: String, order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
