#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d")]
extern "C" fn create(order_no: u8) -> u8 {
    order_no
}

fn main() {}
