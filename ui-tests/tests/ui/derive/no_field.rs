use idempotency::KeyPart;

#[derive(KeyPart)]
struct Marker;

fn main() {}
