#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = order_no + source_ip, ttl = "7d")]
async fn create(order_no: String, source_ip: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
