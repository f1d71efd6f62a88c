#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "0s")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
