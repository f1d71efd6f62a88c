#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order {
    stamp: std::time::SystemTime,
}

#[idempotent(key = order.stamp + tenant, ttl = "7d")]
async fn create(order: Order, tenant: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
