#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[derive(serde::Serialize)]
struct Body {
    order_no: String,
}

#[idempotent(key = "body.order_no", validate = "body", ttl = "7d")]
async fn create(body: Body) -> Result<(), Error> {
    Ok(())
}

fn main() {}
