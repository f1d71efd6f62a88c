#![allow(unused)]

use idempotency::{Error, idempotent};

fn assert_send<T: Send>(_: T) {}

fn check() {
    assert_send(create(String::new()));
}

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<String, Error> {
    let shared = std::rc::Rc::new(order_no);
    std::future::ready(()).await;
    Ok(String::clone(&shared))
}

fn main() {}
