#![allow(unused)]

use idempotency::{Error, idempotent};

struct OrderError;

#[idempotent(key = "order_no", ttl = "7d", detached)]
async fn create(order_no: String) -> Result<(), OrderError> {
    Ok(())
}

fn main() {}
