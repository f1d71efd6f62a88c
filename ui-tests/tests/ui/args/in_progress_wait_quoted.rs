use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", in_progress = "wait(5s)")]
pub async fn create(order_no: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}
