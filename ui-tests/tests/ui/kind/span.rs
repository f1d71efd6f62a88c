#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order {
    timeout: std::time::Duration,
}

#[idempotent(key = order.timeout + tenant, ttl = "7d")]
async fn create(order: Order, tenant: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
