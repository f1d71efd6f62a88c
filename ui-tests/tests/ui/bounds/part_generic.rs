#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + op", op = "generic", ttl = "7d")]
async fn create<T>(order_no: T) -> Result<(), Error> {
    Ok(())
}

fn main() {}
