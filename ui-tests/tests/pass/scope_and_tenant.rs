#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ignore(tenant_id), scope = global, ttl = "7d")]
async fn create(tenant_id: u64, order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
