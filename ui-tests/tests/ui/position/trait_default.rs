#![allow(unused)]

use idempotency::{Error, idempotent};

trait Create {
    #[idempotent(key = "ordr_no", ttl = "7d")]
    async fn create(&self, order_no: String) -> Result<String, Error> {
        Ok(order_no)
    }
}

struct Orders;

impl Create for Orders {}

fn main() {
    drop(Orders.create(String::new()));
}
