#![allow(unused)]

use idempotency::{Error, idempotent};

#[async_trait::async_trait]
trait Orders {
    async fn create(&self, order_no: String);
}

#[async_trait::async_trait]
impl Orders for () {
    #[idempotent(key = "order_no", ttl = "7d")]
    async fn create(&self, order_no: String) {}
}

fn main() {}
