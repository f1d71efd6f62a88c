#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7 days")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
