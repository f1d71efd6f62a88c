#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

struct Context {
    order_no: String,
}

#[idempotent(key = "number", ttl = "7d")]
async fn create(Context { order_no: number }: Context) -> Result<(), Error> {
    Ok(())
}

fn main() {}
