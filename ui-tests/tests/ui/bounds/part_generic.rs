#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "id + op", op = "generic", ttl = "7d")]
async fn create<T>(id: T) -> Result<(), Error> {
    Ok(())
}

fn main() {}
