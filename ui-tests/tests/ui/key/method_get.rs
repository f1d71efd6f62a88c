#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "headers.get('Idempotency-Key')", ttl = "7d")]
async fn create(headers: Headers) -> Result<(), Error> {
    Ok(())
}

fn main() {}
