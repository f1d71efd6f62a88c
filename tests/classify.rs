//! `derive(Classify)`, and what an annotated function does with the classes.
#![cfg(feature = "memory")]

use std::sync::atomic::{AtomicU32, Ordering};

use idempotency::store::MemoryStore;
use idempotency::{Classify, Error, ErrorClass, ErrorKind, effect_begins, idempotent, with_store};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize, thiserror::Error, Classify)]
#[retryable]
enum ChargeError {
    #[error("declined: {reason}")]
    #[terminal]
    Declined { reason: String },
    #[error("timed out")]
    #[unknown]
    TimedOut,
    #[error("down: {0}")]
    Down(u16),
    #[error("{0}")]
    #[inner]
    Nested(Nested),
    #[error("idempotency: {0}")]
    #[retryable]
    Idempotency(String),
}

#[derive(Debug, PartialEq, Serialize, Deserialize, thiserror::Error, Classify)]
#[error("nested")]
#[unknown]
struct Nested;

#[derive(Classify)]
#[inner]
struct Wrapped {
    inner: ChargeError,
}

#[derive(Classify)]
enum Generic<E> {
    #[inner]
    One { source: E },
    #[retryable]
    Other,
}

/// So that the type can be compared and recorded: the error of the call is kept by its kind.
impl From<Error> for ChargeError {
    fn from(error: Error) -> Self {
        Self::Idempotency(format!("{:?}", error.kind()))
    }
}

impl ChargeError {
    fn call(kind: ErrorKind) -> Self {
        Self::Idempotency(format!("{kind:?}"))
    }
}

#[test]
fn every_variant_has_the_class_of_its_attribute_or_of_its_type() {
    assert_eq!(ChargeError::Declined { reason: String::new() }.class(), ErrorClass::Terminal);
    assert_eq!(ChargeError::TimedOut.class(), ErrorClass::Unknown);
    assert_eq!(ChargeError::Down(503).class(), ErrorClass::Retryable);
    assert_eq!(ChargeError::Nested(Nested).class(), ErrorClass::Unknown);
    assert_eq!(Wrapped { inner: ChargeError::TimedOut }.class(), ErrorClass::Unknown);
    assert_eq!(Generic::One { source: Nested }.class(), ErrorClass::Unknown);
    assert_eq!(Generic::<Nested>::Other.class(), ErrorClass::Retryable);
}

#[test]
fn terminal_errors_are_recorded_if_there_are_any() {
    assert_eq!(format!("{:?}", ChargeError::TERMINAL), "TerminalErrors { recorded: true }");
    assert_eq!(format!("{:?}", Wrapped::TERMINAL), "TerminalErrors { recorded: false }");
}

fn ledger() -> &'static AtomicU32 {
    Box::leak(Box::new(AtomicU32::new(0)))
}

#[idempotent(key = "order_no", ignore(runs, result), ttl = "1d", allow(unknown-without-reconcile, reason = "what is held is looked at"))]
async fn charge(
    order_no: u32,
    runs: &AtomicU32,
    result: Result<u32, ChargeError>,
) -> Result<u32, ChargeError> {
    runs.fetch_add(1, Ordering::SeqCst);
    result
}

#[tokio::test]
async fn a_terminal_error_is_replayed_and_the_body_does_not_run_again() {
    let runs = ledger();
    let declined = || ChargeError::Declined { reason: "no funds".into() };
    with_store(MemoryStore::new(), async {
        assert_eq!(charge(7, runs, Err(declined())).await, Err(declined()));
        assert_eq!(charge(7, runs, Ok(1)).await, Err(declined()));
    })
    .await;
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_retryable_error_runs_the_body_again() {
    let runs = ledger();
    with_store(MemoryStore::new(), async {
        assert_eq!(charge(7, runs, Err(ChargeError::Down(503))).await, Err(ChargeError::Down(503)));
        assert_eq!(charge(7, runs, Ok(1)).await, Ok(1));
        assert_eq!(charge(7, runs, Ok(2)).await, Ok(1));
    })
    .await;
    assert_eq!(runs.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn an_unknown_error_holds_the_key() {
    for error in [|| ChargeError::TimedOut, || ChargeError::Nested(Nested)] {
        let runs = ledger();
        with_store(MemoryStore::new(), async {
            assert_eq!(charge(7, runs, Err(error())).await, Err(error()));
            assert_eq!(charge(7, runs, Ok(1)).await, Err(ChargeError::call(ErrorKind::Unknown)));
        })
        .await;
        assert_eq!(runs.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn a_terminal_error_that_cannot_be_recorded_is_not_run_again() {
    #[derive(Debug, thiserror::Error, Classify)]
    enum OrderError {
        #[error(transparent)]
        #[inner]
        Charge(ChargeError),
        #[error(transparent)]
        #[inner]
        Idempotency(#[from] Error),
    }
    #[idempotent(key = "order_no", ignore(runs), ttl = "1d")]
    async fn order(order_no: u32, runs: &AtomicU32) -> Result<u32, OrderError> {
        runs.fetch_add(1, Ordering::SeqCst);
        Err(OrderError::Charge(ChargeError::Declined { reason: "no funds".into() }))
    }
    let runs = ledger();
    with_store(MemoryStore::new(), async {
        assert!(matches!(order(7, runs).await, Err(OrderError::Charge(ChargeError::Declined { .. }))));
        let Err(OrderError::Idempotency(error)) = order(7, runs).await else { panic!("replayed") };
        assert_eq!(error.kind(), ErrorKind::ValueNotKept);
    })
    .await;
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn an_announced_effect_makes_an_error_without_classes_unknown() {
    #[derive(Debug, thiserror::Error)]
    enum Unclassified {
        #[error("lost")]
        Lost,
        #[error(transparent)]
        Idempotency(#[from] Error),
    }
    #[idempotent(key = "order_no", ignore(announces, runs), ttl = "1d")]
    async fn send(order_no: u32, announces: bool, runs: &AtomicU32) -> Result<u32, Unclassified> {
        if runs.fetch_add(1, Ordering::SeqCst) > 0 {
            return Ok(order_no);
        }
        if announces {
            effect_begins().await?;
        }
        Err(Unclassified::Lost)
    }
    let (announced, silent) = (ledger(), ledger());
    with_store(MemoryStore::new(), async {
        assert!(matches!(send(7, true, announced).await, Err(Unclassified::Lost)));
        let Err(Unclassified::Idempotency(error)) = send(7, true, announced).await else {
            panic!("ran again")
        };
        assert_eq!(error.kind(), ErrorKind::Unknown);

        assert!(matches!(send(8, false, silent).await, Err(Unclassified::Lost)));
        assert_eq!(send(8, false, silent).await.unwrap(), 8);
    })
    .await;
    assert_eq!((announced.load(Ordering::SeqCst), silent.load(Ordering::SeqCst)), (1, 2));
}

#[tokio::test]
async fn an_announced_effect_with_a_retryable_error_runs_again() {
    #[idempotent(key = "order_no", ignore(runs), ttl = "1d", allow(unknown-without-reconcile, reason = "what is held is looked at"))]
    async fn send(order_no: u32, runs: &AtomicU32) -> Result<u32, ChargeError> {
        effect_begins().await?;
        if runs.fetch_add(1, Ordering::SeqCst) == 0 { Err(ChargeError::Down(503)) } else { Ok(order_no) }
    }
    let runs = ledger();
    with_store(MemoryStore::new(), async {
        assert_eq!(send(7, runs).await, Err(ChargeError::Down(503)));
        assert_eq!(send(7, runs).await, Ok(7));
    })
    .await;
}

#[tokio::test]
async fn the_classes_of_an_opaque_result_and_of_an_alias_are_found() {
    type Charged<T> = Result<T, ChargeError>;
    #[idempotent(key = "order_no", ignore(runs), ttl = "1d", allow(unknown-without-reconcile, reason = "what is held is looked at"))]
    async fn aliased(order_no: u32, runs: &AtomicU32) -> Charged<u32> {
        runs.fetch_add(1, Ordering::SeqCst);
        Err(ChargeError::TimedOut)
    }
    #[idempotent(key = "order_no", ignore(runs), ttl = "1d", allow(unknown-without-reconcile, reason = "what is held is looked at"))]
    async fn opaque(order_no: u32, runs: &AtomicU32) -> Result<impl Into<u64> + use<>, ChargeError> {
        runs.fetch_add(1, Ordering::SeqCst);
        if order_no > 0 { Err(ChargeError::TimedOut) } else { Ok(order_no) }
    }
    let runs = ledger();
    with_store(MemoryStore::new(), async {
        assert_eq!(aliased(7, runs).await, Err(ChargeError::TimedOut));
        assert_eq!(aliased(7, runs).await, Err(ChargeError::call(ErrorKind::Unknown)));
        assert_eq!(opaque(7, runs).await.map(Into::into), Err::<u64, _>(ChargeError::TimedOut));
        let held = Err::<u64, _>(ChargeError::call(ErrorKind::Unknown));
        assert_eq!(opaque(7, runs).await.map(Into::into), held);
    })
    .await;
    assert_eq!(runs.load(Ordering::SeqCst), 2);
}
