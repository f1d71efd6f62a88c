#![allow(unused)]

use idempotency::{Error, idempotent};

struct OrderNo(String);

#[idempotent(key = order_no + op, ttl = "7d")]
async fn create(order_no: OrderNo) -> Result<(), Error> {
    Ok(())
}

fn main() {}
