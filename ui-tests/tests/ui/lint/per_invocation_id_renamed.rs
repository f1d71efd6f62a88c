#![allow(unused)]

use idempotency::{Error, idempotent};

struct Context {
    request_id: String,
}

#[idempotent(key = "number", ttl = "7d")]
async fn create(Context { request_id: number }: Context) -> Result<(), Error> {
    Ok(())
}

fn main() {}
