#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[async_trait::async_trait]
trait Create {
    async fn create(&self, order_no: String, nonce: String) -> Result<(), Error>;
}

struct Orders;

#[async_trait::async_trait]
impl Create for Orders {
    #[idempotent(key = order_no + nonce, ttl = "7d")]
    async fn create(&self, order_no: String, nonce: String) -> Result<(), Error> {
        let _ = self.create(order_no, nonce).await;
        Ok(())
    }
}

fn main() {}
