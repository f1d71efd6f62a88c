#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + created_at", ttl = "7d", allow(timestamp, reason = ""))]
async fn create(order_no: String, created_at: i64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
