#![allow(unused)]

use idempotency::{Error, Reconciled, UnknownOutcome, idempotent};

async fn find(unknown: UnknownOutcome) -> Result<Reconciled<u64>, Error> {
    let shared = std::rc::Rc::new(unknown);
    std::future::ready(()).await;
    drop(shared);
    Ok(Reconciled::StillUnknown)
}

#[idempotent(key = "order_no", ttl = "7d", detached, reconcile = find)]
async fn create(order_no: String) -> Result<u64, Error> {
    Ok(7)
}

fn main() {}
