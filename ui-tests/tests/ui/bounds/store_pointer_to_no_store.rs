use std::sync::Arc;

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", store = Arc::clone(store), ttl = "7d")]
pub async fn create(order_no: u64, store: &Arc<u8>) -> Result<(), Error> {
    Ok(())
}

fn main() {}
