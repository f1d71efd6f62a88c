#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = order_no + trace_id, ttl = "7d")]
async fn create(order_no: String, trace_id: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
