#![deny(unused_variables)]
#![allow(dead_code)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ignore(db), ttl = "7d")]
async fn create(order_no: String, db: u64) -> Result<(), Error> {
    let total = 7;
    Ok(())
}

fn main() {}
