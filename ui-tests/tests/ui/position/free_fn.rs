#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "ordr_no", ttl = "7d")]
async fn create(order_no: String) -> Result<String, Error> {
    Ok(order_no)
}

mod inner {
    pub async fn call() -> Result<String, idempotency::Error> {
        super::create(String::new()).await
    }
}

fn main() {
    drop(create(String::new()));
    drop(inner::call());
}
