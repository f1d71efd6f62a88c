#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + uuid", ttl = "7d")]
async fn create(order_no: String, uuid: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
