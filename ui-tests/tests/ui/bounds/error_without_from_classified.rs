#![allow(unused)]

use idempotency::{Classify, idempotent};

#[derive(Classify)]
#[retryable]
struct OrderError;

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<(), OrderError> {
    Ok(())
}

fn main() {}
