#![allow(unused)]

use idempotency::{Error, Reconciled, UnknownOutcome, idempotent};

async fn find(unknown: UnknownOutcome) -> Result<Reconciled<String>, Error> {
    Ok(Reconciled::StillUnknown)
}

#[idempotent(key = "order_no", ttl = "7d", reconcile = find)]
async fn create(order_no: String) -> Result<u64, Error> {
    Ok(7)
}

fn main() {}
