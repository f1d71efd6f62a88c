#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order {
    labels: std::collections::HashMap<String, String>,
}

#[idempotent(key = order.labels + tenant, ttl = "7d")]
async fn create(order: Order, tenant: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
