#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = body, ttl = "7d")]
async fn create(body: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
