#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "hash(receipt_handle)", ttl = "7d")]
async fn create(receipt_handle: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
