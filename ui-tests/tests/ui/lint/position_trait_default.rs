#![allow(unused)]

use idempotency::{Error, idempotent};

trait Create {
    #[idempotent(key = "order_no + created_at", ttl = "7d")]
    async fn create(&self, order_no: String, created_at: i64, body: String) -> Result<(), Error> {
        Ok(())
    }
}

fn main() {}
