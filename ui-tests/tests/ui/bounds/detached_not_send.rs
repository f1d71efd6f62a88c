#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", detached)]
async fn create(order_no: String) -> Result<String, Error> {
    let shared = std::rc::Rc::new(order_no);
    std::future::ready(()).await;
    Ok(String::clone(&shared))
}

fn main() {}
