use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d")]
pub async fn create(order_no: &str) -> Result<Vec<(u8, &str)>, Error> {
    Ok(vec![(1, order_no)])
}

fn main() {}
