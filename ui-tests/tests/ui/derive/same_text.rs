use idempotency::KeyPart;

#[derive(KeyPart)]
enum Region {
    #[key_part(rename = "Us")]
    Eu,
    Us,
}

fn main() {}
