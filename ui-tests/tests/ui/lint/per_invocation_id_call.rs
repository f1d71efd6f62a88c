#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + hash(request_id)", ttl = "7d")]
async fn create(order_no: String, request_id: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
