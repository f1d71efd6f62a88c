#![allow(unused)]

use idempotency::{Error, idempotent};

#[derive(serde::Serialize)]
struct Order {
    order_no: String,
    amount: u64,
}

#[idempotent(key = "order.order_no", ttl = "7d")]
async fn create(order: Order) -> Result<(), Error> {
    Ok(())
}

fn main() {}
