#![allow(unused)]

use idempotency::{Error, Reconciled, UnknownOutcome, idempotent};

struct Orders;

impl Orders {
    #[idempotent(key = "order_no", ttl = "7d", reconcile = self.find)]
    async fn create(&self, order_no: String) -> Result<u64, Error> {
        Ok(7)
    }
}

fn main() {}
