//! What the tests of the SQLite store share.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use idempotency_conformance::script::{ANN, Held, START, key_of, request};
use idempotency_runtime::{
    Claim, ClaimRequest, IdempotencyKey, OwnerToken, Store, StoreError, StoreErrorKind,
};
use idempotency_stores::SqliteStore;
use rusqlite::Connection;
use tempfile::TempDir;

/// A directory with room for one file.
pub(crate) struct Place {
    directory: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.directory().join("records.db")
    }

    pub(crate) async fn open(&self) -> SqliteStore {
        SqliteStore::open(self.file()).await.unwrap()
    }

    /// Another connection to the file, as any program has it.
    pub(crate) fn connect(&self) -> Connection {
        Connection::open(self.file()).unwrap()
    }
}

/// The key with this number.
pub(crate) fn numbered(number: usize) -> IdempotencyKey {
    key_of(&format!("orders.create:tenant-a#{number}"))
}

/// Ann's claim of `key` at [`START`].
pub(crate) fn claim_of(key: &IdempotencyKey) -> ClaimRequest {
    claim_by(key, ANN)
}

/// The claim of `key` by `owner` at [`START`].
pub(crate) fn claim_by(key: &IdempotencyKey, owner: OwnerToken) -> ClaimRequest {
    let mut claim = request(owner, START);
    claim.key = key.clone();
    claim
}

/// Claims, and expects that the claim is granted.
pub(crate) async fn acquire(store: &SqliteStore, claim: ClaimRequest) -> Held {
    try_acquire(store, claim).await.unwrap()
}

/// Claims, and expects that the claim is granted unless the store fails.
pub(crate) async fn try_acquire(store: &SqliteStore, claim: ClaimRequest) -> Result<Held, StoreError> {
    let (key, owner) = (claim.key.clone(), claim.owner);
    match store.claim(claim).await? {
        Claim::Acquired { epoch, attempt, lease_until, previous } => {
            Ok(Held { key, owner, epoch, attempt, lease_until, previous })
        }
        other => panic!("the claim of {key} was not granted: {other:?}"),
    }
}

/// Claims and completes `key`.
pub(crate) async fn finish(store: &SqliteStore, key: &IdempotencyKey) {
    let held = acquire(store, claim_of(key)).await;
    let _ = store.write(held.complete(START)).await.unwrap();
}

/// Expects an error of this kind whose message has all these parts.
#[track_caller]
pub(crate) fn assert_error<T>(
    answer: Result<T, StoreError>,
    kind: StoreErrorKind,
    parts: &[&str],
) -> StoreError {
    let Err(error) = answer else {
        panic!("the call succeeded");
    };
    assert_eq!(error.kind(), kind, "{error:?}");
    for part in parts {
        assert!(error.to_string().contains(part), "{part:?} is not in: {error}");
    }
    error
}

/// Polls once, for calls that shall stand in the queue.
pub(crate) fn poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    match Pin::new(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}
