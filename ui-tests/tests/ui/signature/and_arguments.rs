#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(kye = "order_no", ttl = "7")]
fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
