#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "hash(amount)", ttl = "7d")]
async fn create(amount: f64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
