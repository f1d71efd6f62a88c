#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "30m1h")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
