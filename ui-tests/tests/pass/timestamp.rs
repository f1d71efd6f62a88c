#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[derive(serde::Serialize)]
struct Order {
    order_no: String,
    scheduled_at: String,
}

#[idempotent(key = "order.order_no + order.scheduled_at", validate = "order", ttl = "7d")]
async fn create(order: Order) -> Result<(), Error> {
    Ok(())
}

fn main() {}
