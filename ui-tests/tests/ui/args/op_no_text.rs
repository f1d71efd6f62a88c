#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", op = orders.create)]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
