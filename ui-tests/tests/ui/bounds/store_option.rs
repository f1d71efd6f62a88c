use idempotency::{AnyStore, Error, idempotent};

pub struct Orders {
    store: Option<AnyStore>,
}

impl Orders {
    #[idempotent(key = "order_no", store = self.store, ttl = "7d")]
    pub async fn create(&self, order_no: u64) -> Result<(), Error> {
        Ok(())
    }
}

fn main() {}
