#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", in_progress = wait("5 seconds"))]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
