#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d")]
fn create(order_no: String) -> std::pin::Pin<Box<dyn Future<Output = Result<(), Error>>>> {
    Box::pin(std::future::ready(Ok(())))
}

fn main() {}
