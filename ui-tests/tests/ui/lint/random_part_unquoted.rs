#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = order_no + nonce, ttl = "7d")]
async fn create(order_no: String, nonce: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
