use idempotency::Classify;

#[derive(Classify)]
pub enum ChargeError {
    #[inner]
    Io(std::io::Error),
}

fn main() {}
