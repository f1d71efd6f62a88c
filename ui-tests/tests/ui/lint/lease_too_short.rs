#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", lease = "3s")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
