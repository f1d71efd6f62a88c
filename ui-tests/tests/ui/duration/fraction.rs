#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "1.5h")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
