#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = tenant_id + op + requested_at, ignore(order_no), ttl = "7d")]
async fn create(tenant_id: u64, requested_at: i64, order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
