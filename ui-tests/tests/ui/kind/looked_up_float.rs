#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order {
    prices: std::collections::HashMap<String, f64>,
}

#[idempotent(key = order.prices["net"] + tenant, ttl = "7d")]
async fn create(order: Order, tenant: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
