#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[derive(serde::Serialize)]
struct Order {
    order_no: String,
    nonce: String,
}

#[idempotent(key = "order.order_no + order.nonce", validate = "order", ttl = "7d")]
async fn create(order: Order) -> Result<(), Error> {
    Ok(())
}

fn main() {}
