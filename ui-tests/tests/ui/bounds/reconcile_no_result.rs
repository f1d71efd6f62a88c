#![allow(unused)]

use idempotency::{Error, Reconciled, UnknownOutcome, idempotent};

struct Response;

async fn find(unknown: UnknownOutcome) -> Result<Reconciled<u64>, Error> {
    Ok(Reconciled::StillUnknown)
}

#[idempotent(key = "order_no", ttl = "7d", version = 2, reconcile = find)]
async fn create(order_no: String) -> Response {
    Response
}

fn main() {}
