#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order {
    sent_at: u64,
}

#[idempotent(key = "order_no", ttl = "7d", ignore(order.sent_at))]
async fn create(order_no: String, order: Order) -> Result<(), Error> {
    Ok(())
}

fn main() {}
