#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "date(at) + order_no", ttl = "7d")]
async fn create(order_no: String, at: std::time::SystemTime) -> Result<(), Error> {
    Ok(())
}

fn main() {}
