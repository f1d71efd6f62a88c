#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order {
    customer: Option<String>,
}

#[idempotent(key = order.customer + tenant, ttl = "7d")]
async fn create(order: Order, tenant: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
