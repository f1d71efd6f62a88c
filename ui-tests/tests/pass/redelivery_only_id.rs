#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "chat_id + message_id", ttl = "7d")]
async fn create(chat_id: u64, message_id: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
