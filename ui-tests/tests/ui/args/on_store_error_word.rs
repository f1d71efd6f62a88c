#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", on_store_error = fail)]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
