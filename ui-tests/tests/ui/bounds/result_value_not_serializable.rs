#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order;

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<Order, Error> {
    Ok(Order)
}

fn main() {}
