use idempotency::Classify;

#[derive(Classify)]
pub enum Never {}

fn main() {}
