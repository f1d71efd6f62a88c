//! `op`, `in_progress`, `completed`, `replayed` and `mode`.
#![cfg(feature = "memory")]

use std::sync::atomic::{AtomicU32, Ordering};

use idempotency::store::MemoryStore;
use idempotency::{AnyStore, Disposition, Error, ErrorKind, idempotent, with_reports, with_store};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Response {
    status: u16,
    order: u32,
}

impl Response {
    fn into_duplicate(self) -> Self {
        Self { status: 200, ..self }
    }
}

#[tokio::test]
async fn replayed_maps_the_value_of_duplicates_only() {
    #[idempotent(key = "no", ttl = "1d", replayed = Response::into_duplicate)]
    async fn create(no: u32) -> Result<Response, Error> {
        Ok(Response { status: 201, order: no })
    }
    with_store(MemoryStore::new(), async {
        assert_eq!(create(7).await.unwrap(), Response { status: 201, order: 7 });
        assert_eq!(create(7).await.unwrap(), Response { status: 200, order: 7 });
        assert_eq!(create(7).await.unwrap(), Response { status: 200, order: 7 });
    })
    .await;
}

#[tokio::test]
async fn completed_reject_tells_duplicates_without_a_value() {
    #[idempotent(key = "no", ttl = "1d", completed = reject)]
    async fn create(no: u32) -> Result<u32, Error> {
        Ok(no)
    }
    with_store(MemoryStore::new(), async {
        assert_eq!(create(7).await.unwrap(), 7);
        assert_eq!(create(7).await.unwrap_err().kind(), ErrorKind::AlreadyCompleted);
    })
    .await;
}

#[tokio::test]
async fn observe_runs_every_call_and_counts_duplicates() {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    #[idempotent(key = "no", ttl = "1d", mode = observe)]
    async fn create(no: u32) -> Result<u32, Error> {
        Ok(no + RUNS.fetch_add(1, Ordering::SeqCst))
    }
    let calls = async { [create(7).await.unwrap(), create(7).await.unwrap()] };
    let (values, reports) = with_reports(with_store(MemoryStore::new(), calls)).await;
    assert_eq!(values, [7, 8]);
    let dispositions: Vec<Disposition> = reports.iter().map(|report| report.disposition).collect();
    assert_eq!(
        dispositions,
        [Disposition::Observed { duplicate: false }, Disposition::Observed { duplicate: true }]
    );
}

#[idempotent(key = "no", ignore(gate), ttl = "1d", in_progress = reject, completed = replay, mode = protect, store = store)]
async fn rejecting(no: u32, store: AnyStore, gate: oneshot::Receiver<u32>) -> Result<u32, Error> {
    Ok(no + gate.await.unwrap_or(0))
}

#[idempotent(key = "no", ignore(gate), ttl = "1d", in_progress = wait("10s"), store = store)]
async fn waiting(no: u32, store: AnyStore, gate: oneshot::Receiver<u32>) -> Result<u32, Error> {
    Ok(no + gate.await.unwrap_or(0))
}

#[tokio::test]
async fn a_concurrent_duplicate_is_rejected() {
    let store = AnyStore::new(MemoryStore::new());
    let (open, gate) = oneshot::channel();
    let first = tokio::spawn(rejecting(7, store.clone(), gate));
    let error = loop {
        let (_open, gate) = oneshot::channel();
        tokio::task::yield_now().await;
        if !first.is_finished() && store.inspect_is_claimed("rejecting:7").await {
            break rejecting(7, store.clone(), gate).await.unwrap_err();
        }
    };
    assert_eq!(error.kind(), ErrorKind::InProgress);
    assert!(error.is_retryable());
    open.send(1).unwrap();
    assert_eq!(first.await.unwrap().unwrap(), 8);
}

#[tokio::test]
async fn a_concurrent_duplicate_waits_for_the_outcome() {
    let store = AnyStore::new(MemoryStore::new());
    let (open, gate) = oneshot::channel();
    let first = tokio::spawn(waiting(7, store.clone(), gate));
    while !store.inspect_is_claimed("waiting:7").await {
        tokio::task::yield_now().await;
    }
    let (_never, gate) = oneshot::channel();
    let second = tokio::spawn(waiting(7, store.clone(), gate));
    tokio::task::yield_now().await;
    open.send(1).unwrap();
    assert_eq!(first.await.unwrap().unwrap(), 8);
    assert_eq!(second.await.unwrap().unwrap(), 8);
}

#[tokio::test]
async fn two_operations_of_one_name_in_one_store_are_refused() {
    mod one {
        #[idempotency::idempotent(key = "no", ttl = "1d", op = "same")]
        pub(super) async fn create(no: u32) -> Result<u32, idempotency::Error> {
            Ok(no)
        }
    }
    mod other {
        #[idempotency::idempotent(key = "no", ttl = "1d", op = "same")]
        pub(super) async fn create(no: u32) -> Result<u32, idempotency::Error> {
            Ok(no)
        }
    }
    with_store(MemoryStore::new(), async {
        assert_eq!(one::create(7).await.unwrap(), 7);
        let error = other::create(8).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateOperation);
        let text = error.to_string();
        assert!(text.contains("one::create") && text.contains("other::create"), "{text}");
    })
    .await;
}

trait Inspect {
    async fn inspect_is_claimed(&self, key: &str) -> bool;
}

impl Inspect for AnyStore {
    async fn inspect_is_claimed(&self, key: &str) -> bool {
        self.inspect(&idempotency::IdempotencyKey::from_stored(key)).await.unwrap().is_some()
    }
}
