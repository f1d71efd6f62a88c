#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = order_no + Uuid::new_v4().to_string(), ttl = "7d")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
