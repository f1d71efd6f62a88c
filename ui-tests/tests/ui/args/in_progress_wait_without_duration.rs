#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", in_progress = wait)]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
