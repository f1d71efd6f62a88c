#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "message_id", ttl = "14d", source = sqs(retention = "14d"))]
async fn create(message_id: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
