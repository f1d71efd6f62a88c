#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[derive(serde::Serialize)]
struct Order {
    order_no: String,
    amount: u64,
}

#[idempotent(key = "order.order_no", validate = "order", ignore(note), ttl = "7d")]
async fn create(order: Order, db: &str, note: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
