use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", store = "memory:", ttl = "7d")]
pub async fn create(order_no: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
