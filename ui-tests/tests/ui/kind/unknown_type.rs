#![allow(unused)]

use idempotency::{Error, idempotent};

struct Money(u64);

struct Order {
    amount: Money,
}

#[idempotent(key = order.amount + tenant, ttl = "7d")]
async fn create(order: Order, tenant: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
