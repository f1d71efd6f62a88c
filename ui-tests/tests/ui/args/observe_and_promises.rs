#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "order_no", ttl = "7d", mode = observe, completed = reject)]
async fn completed(order_no: String) -> Result<(), Error> {
    Ok(())
}

#[idempotent(key = "order_no", ttl = "7d", mode = observe, on_crash = hold, reconcile = |_| async { unreachable!() })]
async fn crashed(order_no: String) -> Result<(), Error> {
    Ok(())
}

#[idempotent(key = "order_no", ttl = "7d", mode = observe, on_expired = reject, tombstone = "30d")]
async fn expired(order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}
