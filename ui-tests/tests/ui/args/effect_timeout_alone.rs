#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", on_crash = hold, effect_timeout = "2m")]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
