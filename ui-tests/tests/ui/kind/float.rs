#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order {
    amount: f64,
}

#[idempotent(key = order.amount + tenant, ttl = "7d")]
async fn create(order: Order, tenant: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
