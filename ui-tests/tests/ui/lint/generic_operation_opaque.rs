#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", validate = "event", ttl = "7d")]
async fn create(order_no: String, event: impl serde::Serialize + Send + Sync) -> Result<(), Error> {
    Ok(())
}

fn main() {}
