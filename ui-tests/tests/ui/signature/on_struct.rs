#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d")]
struct Order {
    order_no: String,
}

fn main() {}
