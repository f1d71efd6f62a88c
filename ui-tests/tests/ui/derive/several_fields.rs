use idempotency::KeyPart;

#[derive(KeyPart)]
struct OrderId {
    region: String,
    number: u64,
}

fn main() {}
