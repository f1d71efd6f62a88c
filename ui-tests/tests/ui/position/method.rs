#![allow(unused)]

use idempotency::{Error, idempotent};

struct Orders;

impl Orders {
    #[idempotent(key = "ordr_no", ttl = "7d")]
    async fn create(&self, order_no: String) -> Result<String, Error> {
        Ok(order_no)
    }
}

fn main() {
    drop(Orders.create(String::new()));
}
