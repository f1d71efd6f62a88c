use idempotency::Classify;

#[derive(Debug, thiserror::Error, Classify)]
pub enum ChargeError {
    #[error(transparent)]
    #[terminal]
    Idempotency(#[from] idempotency::Error),
}

#[derive(Classify)]
#[terminal]
pub struct Lost(idempotency::Error);

fn main() {}
