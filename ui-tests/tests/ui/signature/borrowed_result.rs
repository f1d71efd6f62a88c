use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d")]
pub async fn create(order_no: &str) -> Result<&str, Error> {
    Ok(order_no)
}

fn main() {}
