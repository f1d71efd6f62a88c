#![allow(unused)]

use idempotency::{Error, idempotent};

trait Orders {
    #[idempotent(key = "order_no", ttl = "7d")]
    async fn create(order_no: String) -> Result<(), Error>;
}

fn main() {}
