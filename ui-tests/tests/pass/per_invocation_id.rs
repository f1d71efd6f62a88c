#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

struct Context {
    request_id: String,
    xray_trace_id: String,
}

#[derive(serde::Serialize)]
struct Order {
    order_no: String,
    client_request_id: String,
}

#[idempotent(key = "order.client_request_id", validate = "order", ttl = "7d")]
async fn create(ctx: Context, order: Order) -> Result<(), Error> {
    Ok(())
}

fn main() {}
