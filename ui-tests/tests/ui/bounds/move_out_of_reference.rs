#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", validate = "lines", ttl = "7d")]
async fn create(order_no: u64, lines: &Vec<String>) -> Result<usize, Error> {
    Ok(lines.into_boxed_slice().len())
}

fn main() {}
