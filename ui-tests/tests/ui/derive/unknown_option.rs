use idempotency::KeyPart;

#[derive(KeyPart)]
#[key_part(format = "hex")]
struct OrderId(u64);

fn main() {}
