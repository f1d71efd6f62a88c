#![allow(unused)]

use idempotency::{Error, idempotent};

#[derive(serde::Serialize)]
struct Order {
    order_no: String,
    tenant_id: u64,
    kind: String,
}

#[idempotent(key = "order.tenant_id + order.kind", validate = "order", ttl = "7d")]
async fn create(order: Order) -> Result<(), Error> {
    Ok(())
}

fn main() {}
