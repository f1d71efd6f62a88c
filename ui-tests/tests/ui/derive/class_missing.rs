use idempotency::Classify;

#[derive(Classify)]
pub enum ChargeError {
    #[unknown]
    Declined,
    TimedOut,
    #[retryable]
    Down,
    Idempotency(idempotency::Error),
}

fn main() {}
