#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(kye = "order_no", key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
