use idempotency::Classify;

#[derive(Classify)]
pub enum ChargeError {
    #[retryable]
    Down,
    #[terminal]
    Declined,
}

fn main() {}
