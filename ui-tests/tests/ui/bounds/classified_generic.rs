#![allow(unused)]

use idempotency::{Classify, Error, idempotent};

#[derive(Debug, thiserror::Error, serde::Serialize, serde::Deserialize, Classify)]
enum ChargeError<D> {
    #[error("declined")]
    #[terminal]
    Declined(D),
    #[error(transparent)]
    #[serde(skip)]
    #[inner]
    Idempotency(#[from] Error),
}

#[derive(Debug)]
struct Details;

#[idempotent(key = "order_no", ttl = "7d")]
async fn charge(order_no: String) -> Result<u64, ChargeError<Details>> {
    Ok(7)
}

fn main() {}
