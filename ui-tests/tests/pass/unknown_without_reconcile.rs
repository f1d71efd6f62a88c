#![deny(warnings)]
#![allow(dead_code)]

use idempotency::{Classify, Error, Reconciled, UnknownOutcome, idempotent};

#[derive(Debug, thiserror::Error, Classify)]
enum ChargeError {
    #[error("the provider did not answer")]
    #[unknown]
    TimedOut,
    #[error(transparent)]
    #[inner]
    Idempotency(#[from] Error),
}

#[derive(Debug, thiserror::Error, Classify)]
enum OrderError {
    #[error("try again")]
    #[retryable]
    Again,
    #[error(transparent)]
    #[inner]
    Idempotency(#[from] Error),
}

async fn find(_: UnknownOutcome) -> Result<Reconciled<u64>, ChargeError> {
    Ok(Reconciled::StillUnknown)
}

#[idempotent(key = "order_no", ttl = "7d", reconcile = find)]
async fn found_out(order_no: u64) -> Result<u64, ChargeError> {
    if order_no == 0 { Err(ChargeError::TimedOut) } else { Ok(order_no) }
}

#[idempotent(key = "order_no", ttl = "7d", on_crash = hold)]
async fn by_a_person(order_no: u64) -> Result<u64, ChargeError> {
    Ok(order_no)
}

#[idempotent(
    key = "order_no",
    ttl = "7d",
    allow(unknown-without-reconcile, reason = "the duty officer looks at held keys")
)]
async fn allowed(order_no: u64) -> Result<u64, ChargeError> {
    Ok(order_no)
}

#[idempotent(key = "order_no", ttl = "7d", mode = observe)]
async fn observed(order_no: u64) -> Result<u64, ChargeError> {
    Ok(order_no)
}

#[idempotent(key = "order_no", ttl = "7d")]
async fn never_unknown(order_no: u64) -> Result<u64, OrderError> {
    if order_no == 0 { Err(OrderError::Again) } else { Ok(order_no) }
}

fn main() {}
