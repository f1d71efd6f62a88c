use idempotency::{Error, idempotent};

#[idempotent(key = "pair + op", ttl = "7d")]
pub async fn create(pair: (u64, u64)) -> Result<(), Error> {
    Ok(())
}

fn main() {}
