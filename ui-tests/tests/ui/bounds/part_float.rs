#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "amount + op", ttl = "7d")]
async fn create(amount: f64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
