#![deny(warnings)]
#![allow(dead_code)]

use idempotency::{Classify, Error, idempotent};
use serde::{Deserialize, Serialize};

#[derive(Debug, thiserror::Error, Serialize, Deserialize, Classify)]
#[retryable]
pub enum ChargeError {
    #[error("declined")]
    #[terminal]
    Declined,
    #[error("down")]
    Down { code: u16 },
    #[error(transparent)]
    #[serde(skip)]
    #[inner]
    Idempotency(#[from] Error),
}

#[derive(Classify)]
#[retryable]
pub struct Refused;

#[derive(Classify)]
#[inner]
pub struct Wrapped {
    inner: ChargeError,
}

#[derive(Classify)]
pub enum Generic<E> {
    #[inner]
    One(E),
    #[unknown]
    Other,
}

#[derive(Serialize, Deserialize, Classify)]
#[terminal]
pub enum Recorded<E> {
    One(E),
}

mod other {
    pub use idempotency;
}

#[derive(Classify)]
#[classify(crate = other::idempotency)]
#[retryable]
pub struct Renamed;

#[idempotent(key = "order_no", ttl = "7d")]
pub async fn charge(order_no: u64) -> Result<u64, ChargeError> {
    if order_no == 0 {
        return Err(ChargeError::Declined);
    }
    Ok(order_no)
}

fn main() {}
