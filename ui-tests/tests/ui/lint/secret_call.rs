#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + hash(api_key)", ttl = "7d")]
async fn create(order_no: String, api_key: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
