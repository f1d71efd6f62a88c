use idempotency::Classify;
use serde::{Deserialize, Serialize};

#[derive(Debug, thiserror::Error, Classify)]
#[retryable]
pub enum ChargeError {
    #[error("down")]
    Down,
    #[error(transparent)]
    Idempotency(#[from] idempotency::Error),
}

#[derive(Debug, thiserror::Error, Serialize, Deserialize, Classify)]
#[terminal]
pub enum RefundError {
    #[error("declined")]
    Declined,
    #[error(transparent)]
    #[serde(skip)]
    Idempotency(#[from] idempotency::Error),
}

#[derive(Debug, thiserror::Error, Classify)]
#[terminal]
pub enum OrderError {
    #[error(transparent)]
    Idempotency(#[from] idempotency::Error),
}

fn main() {}
