#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d")]
const ORDER_NO: u8 = 1;

fn main() {}
