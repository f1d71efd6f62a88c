#![allow(unused)]

use idempotency::{Error, idempotent};

#[derive(serde::Serialize)]
struct Body {
    amount: u64,
    sent_at: u64,
}

#[idempotent(key = "order_no", validate = "body + body.amount", ttl = "7d")]
async fn create(order_no: String, body: Body) -> Result<(), Error> {
    Ok(())
}

fn main() {}
