#![allow(unused)]

use idempotency::{Error, idempotent};

struct Config;

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String, amount: u64, now: i64, note: String, cfg: &Config) -> Result<(), Error> {
    Ok(())
}

fn main() {}
