#![allow(unused)]

use idempotency::{Error, idempotent};

async fn elsewhere(work: impl FnOnce() -> usize + Send + 'static) -> usize {
    work()
}

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<usize, Error> {
    Ok(elsewhere(|| order_no.len()).await)
}

fn main() {}
