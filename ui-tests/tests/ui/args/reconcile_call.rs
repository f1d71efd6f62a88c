#![allow(unused)]

use idempotency::{Error, Reconciled, UnknownOutcome, idempotent};

async fn find(unknown: UnknownOutcome) -> Result<Reconciled<u64>, Error> {
    Ok(Reconciled::StillUnknown)
}

#[idempotent(key = "order_no", ttl = "7d", reconcile = find(order_no))]
async fn create(order_no: String) -> Result<u64, Error> {
    Ok(7)
}

struct Orders;

impl Orders {
    #[idempotent(key = "order_no", ttl = "7d", reconcile = self.find(order_no))]
    async fn create(&self, order_no: String) -> Result<u64, Error> {
        Ok(7)
    }

    #[idempotent(key = "order_no", ttl = "7d", reconcile = find(order_no).await)]
    async fn awaited(&self, order_no: String) -> Result<u64, Error> {
        Ok(7)
    }
}

fn main() {}
