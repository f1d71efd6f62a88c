use idempotency::{Error, idempotent};
use uuid::Uuid;

#[idempotent(key = "id + op", ttl = "7d")]
pub async fn create(id: Uuid) -> Result<(), Error> {
    Ok(())
}

fn main() {}
