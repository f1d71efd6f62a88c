//! `detached`: bodies that go on when their caller is dropped.
#![cfg(feature = "memory")]

use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use idempotency::store::MemoryStore;
use idempotency::{
    AnyStore, Error, ErrorKind, IdempotencyKey, Reconciled, Status, drain, effect_begins, idempotent,
    with_store,
};
use tokio::sync::oneshot;

#[idempotent(key = "order_no", ignore(gate), ttl = "1d", detached, store = store)]
async fn pay(order_no: u32, gate: oneshot::Receiver<u32>, store: AnyStore) -> Result<u32, Error> {
    Ok(order_no + gate.await.unwrap_or(0))
}

fn closed_gate() -> oneshot::Receiver<u32> {
    oneshot::channel().1
}

/// One test of both: `drain` waits for all bodies of the process.
#[tokio::test]
async fn a_detached_body_outlives_its_caller_and_drain_waits_for_it() {
    let store = AnyStore::new(MemoryStore::new());
    let (open, gate) = oneshot::channel();
    {
        let mut call = Box::pin(pay(7, gate, store.clone()));
        assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    assert!(tokio::time::timeout(Duration::from_millis(20), drain()).await.is_err());
    open.send(1).unwrap();
    tokio::time::timeout(Duration::from_secs(5), drain()).await.unwrap();
    assert_eq!(pay(7, closed_gate(), store).await.unwrap(), 8);
}

#[tokio::test]
async fn a_detached_body_answers_its_caller_and_duplicates() {
    let store = AnyStore::new(MemoryStore::new());
    assert_eq!(pay(7, closed_gate(), store.clone()).await.unwrap(), 7);
    let (open, gate) = oneshot::channel();
    open.send(1).unwrap();
    assert_eq!(pay(7, gate, store).await.unwrap(), 7);
}

#[tokio::test]
async fn a_method_is_detached_by_its_shared_owner_in_the_store_of_its_caller() {
    struct Orders {
        offset: u32,
    }
    impl Orders {
        #[idempotent(key = "order_no", ttl = "1d", detached)]
        async fn create(self: Arc<Self>, order_no: u32) -> Result<u32, Error> {
            tokio::task::yield_now().await;
            Ok(order_no + self.offset)
        }
    }
    with_store(MemoryStore::new(), async {
        assert_eq!(Arc::new(Orders { offset: 1 }).create(7).await.unwrap(), 8);
        assert_eq!(Arc::new(Orders { offset: 2 }).create(7).await.unwrap(), 8);
    })
    .await;
}

#[test]
fn without_a_runtime_a_detached_body_does_not_run() {
    #[idempotent(key = "order_no", ttl = "1d", detached, store = store)]
    async fn create(order_no: u32, store: AnyStore) -> Result<u32, Error> {
        unreachable!("{order_no}")
    }
    let mut call = Box::pin(create(7, AnyStore::new(MemoryStore::new())));
    let std::task::Poll::Ready(result) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("it waits")
    };
    assert_eq!(result.unwrap_err().kind(), ErrorKind::Misconfigured);
}

#[tokio::test]
async fn a_detached_body_is_found_out_about() {
    #[derive(Debug, thiserror::Error, idempotency::Classify)]
    enum SendError {
        #[error("lost")]
        #[unknown]
        Lost,
        #[error(transparent)]
        #[inner]
        Idempotency(#[from] Error),
    }
    #[idempotent(
        key = "order_no",
        ttl = "1d",
        lease = "4s",
        detached,
        reconcile = move |_| async move { Ok(Reconciled::Applied(order_no * 10)) },
        store = store
    )]
    async fn send(order_no: u32, store: AnyStore) -> Result<u32, SendError> {
        Err(SendError::Lost)
    }
    let clock = idempotency::ManualClock::at(idempotency::Timestamp::from_millis(1_782_639_000_000));
    let store = AnyStore::new(MemoryStore::new()).with_clock(clock.clone());
    assert!(matches!(send(7, store.clone()).await, Err(SendError::Lost)));
    clock.advance(Duration::from_secs(7));
    assert_eq!(send(7, store).await.unwrap(), 70);
}

#[tokio::test]
async fn a_detached_body_announces_its_effect_and_panics_at_its_caller() {
    #[idempotent(key = "order_no", ignore(announces), ttl = "1d", detached, store = store)]
    async fn send(order_no: u32, announces: bool, store: AnyStore) -> Result<u32, Error> {
        if announces {
            effect_begins().await?;
        }
        panic!("of order {order_no}")
    }
    let store = AnyStore::new(MemoryStore::new());
    for (order_no, announces, status) in [(7, true, Status::Unknown), (8, false, Status::Released)] {
        let call = tokio::spawn(send(order_no, announces, store.clone()));
        let panicked = call.await.unwrap_err().into_panic();
        assert_eq!(panicked.downcast_ref::<String>().unwrap(), &format!("of order {order_no}"));
        let key = IdempotencyKey::from_stored(&format!("send:{order_no}"));
        assert_eq!(store.inspect(&key).await.unwrap().unwrap().status, status);
    }
}

#[tokio::test]
async fn a_method_of_an_async_trait_is_detached() {
    #[async_trait::async_trait]
    trait Payments: Send + Sync {
        async fn pay(self: Arc<Self>, pair: (u32, u32)) -> Result<u32, Error>;
    }
    struct Provider(AnyStore);
    #[async_trait::async_trait]
    impl Payments for Provider {
        #[idempotent(key = "order_no", ignore(amount), ttl = "1d", detached, store = self.0)]
        async fn pay(self: Arc<Self>, (order_no, amount): (u32, u32)) -> Result<u32, Error> {
            tokio::task::yield_now().await;
            Ok(order_no + amount + u32::from(self.0.is_disabled()))
        }
    }
    let provider: Arc<dyn Payments> = Arc::new(Provider(AnyStore::new(MemoryStore::new())));
    assert_eq!(Arc::clone(&provider).pay((7, 1)).await.unwrap(), 8);
    assert_eq!(provider.pay((7, 2)).await.unwrap(), 8);
}
