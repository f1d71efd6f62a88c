#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", ignore(order_no))]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
