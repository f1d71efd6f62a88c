#![allow(unused)]

use idempotency::{Error, idempotent};

#[derive(serde::Serialize)]
struct Order {
    order_no: String,
    access_token: String,
}

#[idempotent(key = "order.order_no + order.access_token", validate = "order", ttl = "7d")]
async fn create(order: Order) -> Result<(), Error> {
    Ok(())
}

fn main() {}
