//! The tables of the protocol, row by row.

mod attempt;
mod claim;
mod effects;
mod unknown;
mod write;

use std::time::Duration;

use crate::claim::{Claim, ClaimRequest};
use crate::fingerprint::{Fingerprint, FingerprintBuilder};
use crate::key::IdempotencyKey;
use crate::owner::OwnerToken;
use crate::record::{Epoch, Record, RecordedValue, Status};
use crate::time::Timestamp;

const TTL: Duration = Duration::from_secs(600);
const LEASE: Duration = Duration::from_secs(30);
const SKEW: Duration = Duration::from_secs(2);

/// A moment of the tests: seconds after an arbitrary start.
fn at(seconds: u64) -> Timestamp {
    Timestamp::from_millis(1_000_000_000 + seconds * 1_000)
}

fn key() -> IdempotencyKey {
    IdempotencyKey::from_stored("op:a")
}

fn owner(number: u8) -> OwnerToken {
    OwnerToken::from_bytes([number; 16])
}

fn print(of: &str) -> Fingerprint {
    let mut builder = FingerprintBuilder::new();
    builder.include(of, &[]).unwrap();
    builder.finish()
}

/// A claim of owner `number` at `seconds`, comparing the request "one".
fn request(number: u8, seconds: u64) -> ClaimRequest {
    let now = at(seconds);
    let mut request = ClaimRequest::new(key(), owner(number), now, now.plus(LEASE), TTL);
    request.fingerprint = Some(print("one"));
    request.skew_budget = SKEW;
    request
}

/// A claim like [`request`] for another request.
fn other_request(number: u8, seconds: u64) -> ClaimRequest {
    ClaimRequest { fingerprint: Some(print("two")), ..request(number, seconds) }
}

/// The record that a first claim of owner 1 at second 0 leaves.
fn claimed() -> Record {
    super::claim(None, &request(1, 0)).write.unwrap()
}

fn completed() -> Record {
    let mut record = claimed();
    record.status = Status::Completed;
    record.completed_at = Some(at(5));
    record.expires_at = Some(at(605));
    record.retain_until = Some(at(605));
    record.value = Some(RecordedValue::new(1, Some(b"7".as_slice().into())));
    record
}

fn released() -> Record {
    Record { status: Status::Released, retain_until: Some(at(605)), ..claimed() }
}

fn is_acquired(answer: &Claim, epoch: Epoch, attempt: u32) -> bool {
    matches!(answer, Claim::Acquired { epoch: e, attempt: a, .. } if *e == epoch && *a == attempt)
}
