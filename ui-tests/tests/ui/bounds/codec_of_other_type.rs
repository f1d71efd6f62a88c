#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", codec = idempotency::JsonCodec)]
async fn create(order_no: String) -> Result<Order, Error> {
    Ok(Order)
}

struct Order;

fn main() {}
