#![allow(unused)]

use idempotency::idempotent;

struct OrderError;

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<(), OrderError> {
    Ok(())
}

fn main() {}
