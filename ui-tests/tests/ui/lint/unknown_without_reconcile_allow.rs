#![allow(unused)]

use idempotency::{Classify, Error, idempotent};

#[derive(Debug, thiserror::Error, Classify)]
enum ChargeError {
    #[error("the provider did not answer")]
    #[unknown]
    TimedOut,
    #[error(transparent)]
    #[inner]
    Idempotency(#[from] Error),
}

#[idempotent(key = "order_no", ttl = "7d", on_crash = hold, allow(unknown-without-reconcile, reason = "a person decides"))]
async fn charge(order_no: String) -> Result<u64, ChargeError> {
    Ok(7)
}

fn main() {}
