#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order {
    lines: Vec<String>,
}

#[idempotent(key = order.lines + tenant, ttl = "7d")]
async fn create(order: Order, tenant: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
