#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "customer_no?", ttl = "7d")]
async fn create(customer_no: Option<Option<String>>) -> Result<(), Error> {
    Ok(())
}

fn main() {}
