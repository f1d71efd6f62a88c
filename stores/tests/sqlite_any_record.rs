//! Rows of any content: every call is answered or refused with a typed error, and a row that cannot be read is never
//! taken for a free key.
#![cfg(feature = "sqlite")]

mod sqlite_support;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use idempotency_runtime::{
    AnyStore, ClaimRequest, Error, ErrorKind, IdempotencyKey, ListRequest, OwnerToken, Status, Store,
    StoreErrorKind, Timestamp, operation,
};
use proptest::prelude::*;
use rusqlite::types::Value;

use crate::sqlite_support::Place;

/// Times are whole numbers of milliseconds since 1970.
const NOW: i64 = 1_782_639_000_000;

/// The columns that a record has beside its key, in the order of the insertion below.
type Row = Vec<Value>;

fn integer() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(0_i64),
        Just(1),
        Just(-1),
        Just(i64::MIN),
        Just(i64::MAX),
        NOW - 100_000..NOW + 100_000,
        any::<i64>()
    ]
    .prop_map(Value::Integer)
}

/// Mostly a count.
fn count() -> impl Strategy<Value = Value> {
    prop_oneof![9 => (0..100_i64).prop_map(Value::Integer), 1 => integer()]
}

fn blob(length: usize) -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => prop::collection::vec(any::<u8>(), length).prop_map(Value::Blob),
        1 => prop::collection::vec(any::<u8>(), 0..40).prop_map(Value::Blob)
    ]
}

fn word(words: &'static [&'static str]) -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => prop::sample::select(words).prop_map(|word| Value::Text(word.to_owned())),
        1 => "\\PC{0,12}".prop_map(Value::Text)
    ]
}

fn optional(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::option::of(value).prop_map(|value| value.unwrap_or(Value::Null))
}

fn row() -> impl Strategy<Value = Row> {
    let who = (
        word(&["in_progress", "released", "completed", "failed", "unknown"]),
        optional(blob(33)),
        blob(16),
        integer(),
        count(),
    );
    let when = (
        integer(),
        integer(),
        word(&["rerun", "hold"]),
        prop_oneof![1 => integer(), 9 => (0..2_i64).prop_map(Value::Integer)],
    );
    let outcome = (
        optional(integer()),
        optional(integer()),
        optional(integer()),
        optional(count()),
        optional(prop_oneof![Just(Value::Blob(b"7".to_vec())), blob(5)]),
    );
    (who, when, outcome).prop_map(|(who, when, outcome)| {
        vec![
            who.0, who.1, who.2, who.3, who.4, when.0, when.1, when.2, when.3, outcome.0, outcome.1,
            outcome.2, outcome.3, outcome.4,
        ]
    })
}

fn insert(place: &Place, row: &Row) {
    let sql = "INSERT INTO idempotency_records (key, status, fingerprint, owner, epoch, attempt, claimed_at,
        lease_until, on_crash, announced, completed_at, expires_at, retain_until, value_version, value)
        VALUES ('pay:1', ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
    place.connect().execute(sql, rusqlite::params_from_iter(row)).unwrap();
}

fn key() -> IdempotencyKey {
    IdempotencyKey::from_stored("pay:1")
}

fn is_final(row: &Row) -> bool {
    matches!(&row[0], Value::Text(word) if word == "completed" || word == "failed")
}

async fn look(row: &Row) -> Result<(), TestCaseError> {
    let place = Place::new();
    let store = place.open().await;
    insert(&place, row);
    let read = store.inspect(&key()).await;
    let listed = store.list(ListRequest { limit: 9, ..ListRequest::default() }).await;
    let now = Timestamp::from_millis(u64::try_from(NOW).unwrap());
    let claim = ClaimRequest::new(key(), OwnerToken::from_bytes([9; 16]), now, now, Duration::from_secs(60));
    match read {
        Ok(record) => {
            prop_assert_eq!(listed.unwrap(), record.into_iter().collect::<Vec<_>>());
            prop_assert!(store.claim(claim).await.is_ok());
        }
        Err(error) => {
            prop_assert_eq!(error.kind(), StoreErrorKind::Corrupt);
            prop_assert_eq!(listed.unwrap_err().kind(), StoreErrorKind::Corrupt);
            prop_assert_eq!(store.claim(claim).await.unwrap_err().kind(), StoreErrorKind::Corrupt);
            prop_assert!(!error.to_string().is_empty());
        }
    }
    Ok(())
}

async fn call(row: &Row) -> Result<(), TestCaseError> {
    let place = Place::new();
    let store = place.open().await;
    insert(&place, row);
    let now = Timestamp::from_millis(u64::try_from(NOW).unwrap());
    let handle = AnyStore::new(store.clone()).with_clock(idempotency_runtime::ManualClock::at(now));
    let before = store.inspect(&key()).await;
    let runs = AtomicU32::new(0);
    let pay = operation("pay").part("order", &1).ttl(Duration::from_secs(60)).store(&handle);
    let answer = pay
        .run(async {
            runs.fetch_add(1, Ordering::SeqCst);
            Ok::<u8, Error>(7)
        })
        .await;
    let runs = runs.load(Ordering::SeqCst);
    match before {
        Err(_) => {
            prop_assert_eq!(runs, 0);
            prop_assert_eq!(answer.unwrap_err().kind(), ErrorKind::Corrupt);
        }
        Ok(Some(record)) if is_final(row) && record.expires_at.is_none_or(|at| at >= now) => {
            let forgotten = record.is_forgotten(now, handle.skew_budget());
            prop_assert!(runs == 0 || forgotten, "an outcome was run again: {:?}", record);
        }
        Ok(Some(record)) if record.status == Status::Unknown => prop_assert_eq!(runs, 0),
        Ok(_) => prop_assert!(runs <= 1),
    }
    Ok(())
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn config() -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = 100;
    }
    config
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_row_is_a_record_or_a_typed_error(row in row()) {
        runtime().block_on(look(&row))?;
    }

    #[test]
    fn a_call_over_any_row_is_answered_or_refused(row in row()) {
        runtime().block_on(call(&row))?;
    }
}
