use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "1M")]
pub async fn create(order_no: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
