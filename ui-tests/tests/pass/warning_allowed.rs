#![forbid(non_upper_case_globals, unsafe_code)]
#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[allow(deprecated)]
#[idempotent(key = order_no + nonce, ttl = "7d")]
async fn create(order_no: String, nonce: String) -> Result<(), Error> {
    Ok(())
}

#[idempotent(key = order_no + nonce, ttl = "7d", op = "expected")]
#[expect(deprecated)]
async fn expected(order_no: String, nonce: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
