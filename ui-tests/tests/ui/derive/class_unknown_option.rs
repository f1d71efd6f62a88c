use idempotency::Classify;

#[derive(Classify)]
#[classify(default = retryable)]
#[retryable]
pub enum ChargeError {
    Down,
}

fn main() {}
