use idempotency::KeyPart;

#[derive(KeyPart)]
enum Region {
    Eu,
    Other(String),
}

fn main() {}
