#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d")]
async fn create<T: idempotency::KeyPart>(order_no: T) -> Result<(), Error> {
    Ok(())
}

fn main() {}
