#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", validate = "amount + sent_at", ttl = "7d")]
async fn create(order_no: String, amount: u64, sent_at: i64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
