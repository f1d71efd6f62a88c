#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + hash(amount)", ttl = "7d")]
async fn create(order_no: String, amount: f64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
