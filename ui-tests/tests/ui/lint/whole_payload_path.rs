#![allow(unused)]

use idempotency::{Error, idempotent};

#[derive(serde::Serialize)]
struct Request {
    body: String,
}

#[idempotent(key = "request.body", validate = "request", ttl = "7d")]
async fn create(request: Request) -> Result<(), Error> {
    Ok(())
}

fn main() {}
