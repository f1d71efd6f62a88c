use idempotency::Classify;

#[derive(Classify)]
#[retryable]
pub enum ChargeError {
    Down(#[unknown] u16),
}

fn main() {}
