use idempotency::Classify;

#[derive(Classify)]
pub enum ChargeError {
    #[inner]
    Charge(idempotency::Error, u32),
    #[inner]
    Down,
}

fn main() {}
