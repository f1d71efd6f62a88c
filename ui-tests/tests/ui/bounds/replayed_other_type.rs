#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", replayed = String::len, ttl = "7d")]
async fn create(order_no: String) -> Result<String, Error> {
    Ok(order_no)
}

fn main() {}
