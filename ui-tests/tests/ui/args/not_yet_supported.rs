#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", on_crash = hold, on_expired = reject, tombstone = "30d", on_store_error = run,
    version = 2, migrate = from_v1, codec = cbor, reconcile = probe, detached)]
async fn create(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
