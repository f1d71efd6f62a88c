#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "request_id + email", ttl = "1h", source = sqs)]
async fn create(request_id: String, email: String, body: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
