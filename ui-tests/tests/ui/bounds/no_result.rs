#![allow(unused)]

use idempotency::idempotent;

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> String {
    order_no
}

fn main() {}
