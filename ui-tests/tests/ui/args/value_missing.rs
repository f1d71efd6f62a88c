#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key, ttl)]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
