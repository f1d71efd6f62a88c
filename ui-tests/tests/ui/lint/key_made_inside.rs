#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

struct Charge {
    idempotency_key: String,
}

impl Charge {
    async fn send(self) -> Result<(), Error> {
        Ok(())
    }
}

mod nanoid {
    pub fn nanoid() -> String {
        String::new()
    }
}

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<(), Error> {
    let id = nanoid::nanoid();
    Charge { idempotency_key: id }.send().await
}

fn main() {}
