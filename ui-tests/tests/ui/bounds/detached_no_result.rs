#![allow(unused)]

use idempotency::{Error, idempotent};

struct Response;

#[idempotent(key = "order_no", ttl = "7d", detached)]
async fn create(order_no: String) -> Response {
    Response
}

fn main() {}
