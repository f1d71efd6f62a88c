#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "1m", lease = "1m")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
