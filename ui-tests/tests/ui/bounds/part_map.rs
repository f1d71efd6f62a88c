#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order + op", ttl = "7d")]
async fn create(order: std::collections::HashMap<String, String>) -> Result<(), Error> {
    Ok(())
}

fn main() {}
