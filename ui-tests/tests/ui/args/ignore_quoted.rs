#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", ignore("db"))]
async fn create(order_no: String, db: u8) -> Result<(), Error> {
    Ok(())
}

fn main() {}
