#![allow(unused)]

use idempotency::{Error, idempotent};

struct Order {
    no: String,
}

#[idempotent(key = order.nr + op, ignore(order), ttl = "7d")]
async fn create(order: Order) -> Result<(), Error> {
    Ok(())
}

fn main() {}
