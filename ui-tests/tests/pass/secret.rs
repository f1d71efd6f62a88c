#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + api_key_id", ttl = "7d")]
async fn create(order_no: String, api_key_id: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
