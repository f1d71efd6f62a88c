#![allow(unused)]

use idempotency::{Error, idempotent};

struct Body;

#[idempotent(key = "order_no", validate = "body", ttl = "7d")]
async fn create(order_no: String, body: Body) -> Result<(), Error> {
    Ok(())
}

fn main() {}
