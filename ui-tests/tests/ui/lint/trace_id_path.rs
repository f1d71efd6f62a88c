#![allow(unused)]

use idempotency::{Error, idempotent};

struct Context {
    request_id: String,
    xray_trace_id: String,
}

#[idempotent(key = "ctx.xray_trace_id + order_no", ttl = "7d")]
async fn create(ctx: Context, order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
