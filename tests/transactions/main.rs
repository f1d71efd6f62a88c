//! Operations whose outcome commits with the rows that they write.
#![cfg(feature = "sqlite")]

mod adverse;
mod crash;
mod ends;
mod forms;
mod nesting;
mod others;
mod outbox;
mod outbox_failures;
mod policies;
mod statements;

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Poll;
use std::time::Duration;

use idempotency::store::{SqliteStore, SqliteStoreBuilder, SqliteTransaction, TransactionError, rusqlite};
use idempotency::{
    Change, Claim, ClaimRequest, Classify, Clock as _, DEFAULT_LEASE, Epoch, IdempotencyKey, OwnerToken,
    OwnerWrite, Record, Status, Store as _, StoreErrorKind, SystemClock, Written, idempotent,
};
use serde::{Deserialize, Serialize};

const TABLE: &str = "CREATE TABLE orders (no INTEGER NOT NULL, cents INTEGER NOT NULL)";

#[derive(Debug, PartialEq, thiserror::Error, Serialize, Deserialize, Classify)]
enum OrderError {
    #[error("the provider is busy")]
    #[retryable]
    Busy,
    #[error("the customer is blocked")]
    #[terminal]
    Blocked,
    #[error("the provider did not answer")]
    #[unknown]
    TimedOut,
    #[error("{0}")]
    #[serde(skip)]
    #[retryable]
    Other(String),
}

impl From<idempotency::Error> for OrderError {
    fn from(error: idempotency::Error) -> Self {
        Self::Other(ErrorText(&error).to_string())
    }
}

impl From<TransactionError> for OrderError {
    fn from(error: TransactionError) -> Self {
        Self::Other(error.to_string())
    }
}

/// An error with all that caused it.
struct ErrorText<'a>(&'a dyn std::error::Error);

impl std::fmt::Display for ErrorText<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)?;
        match self.0.source() {
            Some(source) => write!(f, ": {}", ErrorText(source)),
            None => Ok(()),
        }
    }
}

/// A file with a table of orders, and how often bodies have run.
struct World {
    store: SqliteStore,
    path: PathBuf,
    runs: Arc<AtomicU32>,
    _directory: tempfile::TempDir,
}

impl World {
    async fn new() -> Self {
        Self::with(|builder| builder).await
    }

    async fn with(settings: impl FnOnce(SqliteStoreBuilder) -> SqliteStoreBuilder) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("orders.db");
        let store = settings(SqliteStore::builder(&path)).open().await.unwrap();
        let tx = store.begin().await.unwrap();
        tx.run(|db| db.execute_batch(TABLE)).await.unwrap();
        tx.commit().await.unwrap();
        Self { store, path, runs: Arc::default(), _directory: directory }
    }

    async fn begin(&self) -> SqliteTransaction {
        self.store.begin().await.unwrap()
    }

    /// As another process sees it.
    fn rows(&self) -> i64 {
        let connection = rusqlite::Connection::open(&self.path).unwrap();
        connection.query_row("SELECT count(*) FROM orders", [], |row| row.get(0)).unwrap()
    }

    async fn record(&self, order_no: i64) -> Option<Record> {
        self.store.inspect(&key(order_no)).await.unwrap()
    }

    /// Another owner's claim on the plain store.
    async fn claim(&self, key: IdempotencyKey) -> (OwnerToken, Epoch) {
        let (owner, now, lease) = (OwnerToken::from_bytes([1; 16]), SystemClock::new().now(), DEFAULT_LEASE);
        let claim = ClaimRequest::new(key, owner, now, now.plus(lease), lease);
        match self.store.claim(claim).await.unwrap() {
            Claim::Acquired { epoch, .. } => (owner, epoch),
            found => panic!("the key is not free: {found:?}"),
        }
    }

    /// Another owner's attempt, which has ended with nothing.
    async fn released(&self, order_no: i64) {
        let (owner, epoch) = self.claim(key(order_no)).await;
        let now = SystemClock::new().now();
        let write = OwnerWrite::new(key(order_no), owner, epoch, now, DEFAULT_LEASE, Change::Release);
        assert!(matches!(self.store.write(write).await, Ok(Written::Applied { .. })));
    }

    async fn status(&self, order_no: i64) -> Option<Status> {
        self.record(order_no).await.map(|record| record.status)
    }

    fn runs(&self) -> u32 {
        self.runs.load(Ordering::SeqCst)
    }

    /// A body: one row, then this result.
    async fn place(&self, tx: &SqliteTransaction, order_no: i64, end: End) -> Result<u32, OrderError> {
        place(tx, order_no, end, self.runs.clone()).await
    }
}

fn key(order_no: i64) -> IdempotencyKey {
    IdempotencyKey::from_stored(&format!("place:{order_no}"))
}

/// How a body ends.
#[derive(Clone, Copy, Debug)]
enum End {
    Value,
    Error(fn() -> OrderError),
    Panic,
    Never,
}

/// Adds an order, and returns how often it ran.
#[idempotent(
    key = "order_no",
    validate = none,
    ignore(end, runs),
    ttl = "7d",
    store = tx,
    allow(unknown-without-reconcile, reason = "a transaction asks nobody")
)]
async fn place(
    tx: &SqliteTransaction,
    order_no: i64,
    end: End,
    runs: Arc<AtomicU32>,
) -> Result<u32, OrderError> {
    let run = runs.fetch_add(1, Ordering::SeqCst) + 1;
    insert(tx, order_no).await?;
    match end {
        End::Value => Ok(run),
        End::Error(error) => Err(error()),
        End::Panic => panic!("half-way"),
        End::Never => std::future::pending().await,
    }
}

async fn insert(tx: &SqliteTransaction, order_no: i64) -> Result<usize, TransactionError> {
    tx.run(move |db| db.execute("INSERT INTO orders VALUES (?1, 5)", [order_no])).await
}

fn kind(error: &TransactionError) -> StoreErrorKind {
    error.store_error().expect("an error of the store").kind()
}

const SHORT: Duration = Duration::from_millis(50);

/// The result of `future`, or what it panicked with.
async fn caught<R>(future: impl Future<Output = R>) -> Result<R, Box<dyn std::any::Any + Send>> {
    let mut future = Box::pin(future);
    poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(polled) => polled.map(Ok),
        Err(payload) => Poll::Ready(Err(payload)),
    })
    .await
}

/// Polls `future` so often, each time when it has asked for it, then drops it; whether it had ended.
async fn drop_after(polls: usize, future: impl Future) -> bool {
    let mut future = Box::pin(future);
    let mut polled = 0;
    poll_fn(|cx| {
        if polled == polls {
            return Poll::Ready(false);
        }
        polled += 1;
        match future.as_mut().poll(cx) {
            Poll::Ready(_) => Poll::Ready(true),
            Poll::Pending if polled == polls => Poll::Ready(false),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}
