#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order;

struct Compact;

#[idempotent(key = "order_no", ttl = "7d", codec = Compact)]
async fn create(order_no: String) -> Result<Order, Error> {
    Ok(Order)
}

fn main() {}
