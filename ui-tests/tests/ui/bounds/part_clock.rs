#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order {
    sent_at: std::time::SystemTime,
}

#[idempotent(key = "order.sent_at + op", ttl = "7d")]
async fn create(order: Order) -> Result<(), Error> {
    Ok(())
}

fn main() {}
