#![allow(unused)]

use idempotency::{Error, idempotent};

use idempotency::KeyPart;

#[idempotent(key = "order_no", op = "create", ttl = "7d", detached)]
async fn create<N: KeyPart + Send>(order_no: N) -> Result<(), Error> {
    drop(order_no);
    Ok(())
}

fn main() {}
