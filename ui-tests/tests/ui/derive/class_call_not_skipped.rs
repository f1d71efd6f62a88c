use idempotency::Classify;

#[derive(Debug, thiserror::Error, Classify)]
pub enum ChargeError {
    #[error("the card was declined")]
    #[terminal]
    Declined,
    #[error(transparent)]
    #[inner]
    Idempotency(#[from] idempotency::Error),
}

fn main() {}
