#![allow(unused)]

use idempotency::{Error, idempotent};

struct Response;

#[idempotent(key = "order_no", ttl = "7d", codec = idempotency::JsonCodec)]
async fn create(order_no: String) -> Response {
    Response
}

fn main() {}
