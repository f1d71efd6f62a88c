use idempotency::Classify;

#[derive(Classify)]
pub struct Declined;

fn main() {}
