#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "op + order_no", ttl = "7d")]
async fn create(op: String, order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
