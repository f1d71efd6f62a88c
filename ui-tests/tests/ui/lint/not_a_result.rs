#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Option<u64> {
    None
}

fn main() {}
