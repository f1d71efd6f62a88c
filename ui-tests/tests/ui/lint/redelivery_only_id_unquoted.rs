#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = message_id, ttl = "7d")]
async fn create(message_id: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
