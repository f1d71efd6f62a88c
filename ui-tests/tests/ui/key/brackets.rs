use idempotency::{Error, idempotent};

#[idempotent(key = [a, b], ttl = "7d")]
pub async fn create(a: String, b: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
