#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[derive(serde::Serialize)]
struct SqsMessage {
    body: Option<String>,
    receipt_handle: Option<String>,
}

#[idempotent(key = "order_no", validate = "message", ttl = "7d")]
async fn ship(order_no: String, message: SqsMessage) -> Result<(), Error> {
    Ok(())
}

fn main() {}
