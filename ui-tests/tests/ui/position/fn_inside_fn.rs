#![allow(unused)]

use idempotency::{Error, idempotent};

fn main() {
    #[idempotent(key = "ordr_no", ttl = "7d")]
    async fn create(order_no: String) -> Result<String, Error> {
        Ok(order_no)
    }

    drop(create(String::new()));
}
