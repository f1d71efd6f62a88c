//! `derive(Classify)`, and what an annotated function does with the classes.
#![cfg(feature = "memory")]

use std::sync::atomic::{AtomicU32, Ordering};

use idempotency::store::MemoryStore;
use idempotency::{Classify, Error, ErrorClass, ErrorKind, idempotent, with_store};
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
