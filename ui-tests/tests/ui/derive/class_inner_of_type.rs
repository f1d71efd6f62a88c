use idempotency::Classify;

#[derive(Classify)]
#[inner]
pub enum ChargeError {
    Idempotency(idempotency::Error),
}

fn main() {}
