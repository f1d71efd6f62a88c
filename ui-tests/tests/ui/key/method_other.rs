#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order {
    no: String,
    customer: Option<String>,
}

#[idempotent(key = "order.digest() + order_no", ttl = "7d")]
async fn create(tenant_id: String, order_no: String, order: Order) -> Result<(), Error> {
    Ok(())
}

fn main() {}
