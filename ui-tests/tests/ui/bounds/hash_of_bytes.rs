use idempotency::{Error, idempotent};

#[idempotent(key = "hash(body) + op", ttl = "7d")]
pub async fn create(body: Vec<u8>) -> Result<(), Error> {
    Ok(())
}

fn main() {}
