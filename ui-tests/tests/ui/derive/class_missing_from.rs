use idempotency::Classify;

#[derive(Debug, thiserror::Error, Classify)]
pub enum ChargeError {
    #[error(transparent)]
    Idempotency(#[from] idempotency::Error),
}

fn main() {}
