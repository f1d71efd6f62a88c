use idempotency::Classify;

#[derive(Classify)]
pub enum ChargeError {
    #[unknown(after = "30s")]
    TimedOut,
    #[retryable = true]
    Down,
}

#[derive(Classify)]
#[retryable(always)]
pub enum OtherError {
    Down,
}

fn main() {}
