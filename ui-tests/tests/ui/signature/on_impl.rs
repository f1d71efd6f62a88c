#![allow(unused)]

use idempotency::{Error, idempotent};

struct Orders;

#[idempotent(key = "order_no", ttl = "7d")]
impl Orders {
    async fn create(order_no: String) -> Result<(), Error> {
        Ok(())
    }
}

fn main() {}
