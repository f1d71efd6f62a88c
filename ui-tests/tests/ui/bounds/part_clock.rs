#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order {
    stamp: std::time::SystemTime,
}

#[idempotent(key = "order.stamp + op", ignore(order), ttl = "7d")]
async fn create(order: Order) -> Result<(), Error> {
    Ok(())
}

fn main() {}
