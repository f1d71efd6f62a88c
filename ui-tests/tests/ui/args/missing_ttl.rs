#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
