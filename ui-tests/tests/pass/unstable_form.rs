#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no + ip_block_no", ttl = "7d")]
async fn create(order_no: String, ip_block_no: u32) -> Result<(), Error> {
    Ok(())
}

fn main() {}
