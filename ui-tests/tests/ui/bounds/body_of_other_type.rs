#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<String, Error> {
    order_no
}

fn main() {}
