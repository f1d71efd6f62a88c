#![deny(deprecated)]
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

type Charged<T> = Result<T, ChargeError>;

struct Payments;

impl Payments {
    #[idempotent(key = "order_no", ttl = "7d")]
    async fn charge(&self, order_no: String) -> Charged<u64> {
        Ok(7)
    }
}

fn main() {}
