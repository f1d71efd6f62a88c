#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "hash(payload)", ttl = "7d")]
async fn create(payload: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
