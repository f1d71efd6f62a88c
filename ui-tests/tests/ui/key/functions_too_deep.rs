#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "trim(trim(trim(trim(trim(trim(trim(trim(trim(trim(tenant_id))))))))))", ttl = "7d")]
async fn create(tenant_id: String, order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
