#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + hash(Uuid::now_v7())", ttl = "7d")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
