#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order {
    detail: serde_json::Value,
}

#[idempotent(key = order.detail + tenant, ttl = "7d")]
async fn create(order: Order, tenant: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
