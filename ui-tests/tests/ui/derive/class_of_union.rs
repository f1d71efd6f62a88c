use idempotency::Classify;

#[derive(Classify)]
#[retryable]
pub union ChargeError {
    a: u32,
    b: f32,
}

fn main() {}
