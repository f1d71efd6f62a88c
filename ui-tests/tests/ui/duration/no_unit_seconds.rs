use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "3600", lease = 3600)]
pub async fn create(order_no: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
