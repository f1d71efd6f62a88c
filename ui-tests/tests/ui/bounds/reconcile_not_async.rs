#![allow(unused)]

use idempotency::{Error, Reconciled, UnknownOutcome, idempotent};

fn find(unknown: UnknownOutcome) -> Result<Reconciled<u64>, Error> {
    Ok(Reconciled::StillUnknown)
}

#[idempotent(key = "order_no", ttl = "7d", reconcile = find)]
async fn create(order_no: String) -> Result<u64, Error> {
    Ok(7)
}

fn main() {}
