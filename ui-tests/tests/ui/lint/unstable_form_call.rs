#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + format!('{:?}', order_no)", ttl = "7d")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
