#![allow(unused)]

use idempotency::{Error, Reconciled, UnknownOutcome, idempotent};


#[idempotent(key = "order_no", ttl = "7d", reconcile = |_| async { Ok(Reconciled::Applied("seven")) })]
async fn create(order_no: String) -> Result<u64, Error> {
    Ok(7)
}

fn main() {}
