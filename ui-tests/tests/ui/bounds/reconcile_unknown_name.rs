#![allow(unused)]

use idempotency::{Error, Reconciled, UnknownOutcome, idempotent};


#[idempotent(key = "order_no", ttl = "7d", reconcile = find_charge)]
async fn create(order_no: String) -> Result<u64, Error> {
    Ok(7)
}

fn main() {}
