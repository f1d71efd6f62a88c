#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", validate = "note", ttl = "7d")]
async fn create(
    order_no: String,
    note: impl AsRef<str> + serde::Serialize + Send + Sync,
    done: impl Fn() + Send + Sync,
) -> Result<(), Error> {
    Ok(())
}

fn main() {}
