use idempotency::Classify;

#[derive(Classify)]
pub enum ChargeError {
    #[retryable]
    #[unknown]
    TimedOut,
    #[retryable]
    #[retryable]
    Down,
}

fn main() {}
