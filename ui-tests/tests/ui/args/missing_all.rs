#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
