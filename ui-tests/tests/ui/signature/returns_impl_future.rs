#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d")]
fn create(order_no: String) -> impl Future<Output = Result<(), Error>> {
    async { Ok(()) }
}

fn main() {}
