#![allow(unused)]

use idempotency::{Error, idempotent};

#[derive(serde::Serialize)]
struct Order {
    order_no: String,
    hostname: String,
}

#[idempotent(key = "order.order_no + order.hostname", validate = "order", ttl = "7d")]
async fn create(order: Order) -> Result<(), Error> {
    Ok(())
}

fn main() {}
