#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d")]
trait Orders {
    fn create(order_no: String) -> Result<(), Error>;
}

fn main() {}
