#![allow(unused)]

use async_trait::async_trait;
use idempotency::{Error, idempotent};

#[async_trait]
trait Create {
    async fn create(&self, order_no: String) -> Result<String, Error>;
}

struct Orders;

#[async_trait]
impl Create for Orders {
    #[idempotent(key = "ordr_no", ttl = "7d")]
    async fn create(&self, order_no: String) -> Result<String, Error> {
        Ok(order_no)
    }
}

fn main() {
    drop(Orders.create(String::new()));
}
