#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(ttl = "7d")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
