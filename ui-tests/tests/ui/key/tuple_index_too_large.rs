#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "pair.99999999999", ttl = "7d")]
async fn create(pair: (String, u8)) -> Result<(), Error> {
    Ok(())
}

fn main() {}
