//! Codecs of one's own, and results whose type has changed.

use idempotency_runtime::{
    Codec, CodecError, ErrorKind, JsonCodec, OldValue, Outcome, RecordedValue, Replayable, Status,
};
use serde::{Deserialize, Serialize};

use crate::Tested;
use crate::call::*;

/// A number of another crate, without serde.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cents(u64);

async fn call<C: Codec<Cents>>(store: &Tested, ledger: &Ledger) -> Result<Cents, Failure> {
    let body = async { Ok(Cents(u64::from(ledger.enter().number))) };
    pay(store, "1").run_as(Outcome::with_codec::<C>(), body).await
}

struct Decimal;

impl Codec<Cents> for Decimal {
    fn encode(value: &Cents) -> Result<Vec<u8>, CodecError> {
        Ok(value.0.to_string().into_bytes())
    }

    fn decode(bytes: &[u8]) -> Result<Cents, CodecError> {
        let text = std::str::from_utf8(bytes).map_err(CodecError::new)?;
        Ok(Cents(text.parse().map_err(CodecError::new)?))
    }
}

pub async fn a_codec_encodes_what_is_recorded_and_decodes_it(store: &Tested) {
    let ledger = Ledger::new();
    for _ in 0..2 {
        assert_eq!(value_of(call::<Decimal>(store, &ledger).await), Cents(1));
    }
    assert_eq!(store.record_of(&pay_key("1")).await.value, Some(RecordedValue::new(1, Some((*b"1").into()))));
}

/// The first caller gets its own value, later ones are told; the body runs once.
async fn is_not_kept<C: Codec<Cents>>(store: &Tested) {
    let ledger = Ledger::new();
    assert_eq!(value_of(call::<C>(store, &ledger).await), Cents(1));
    for _ in 0..2 {
        assert_refused(call::<C>(store, &ledger).await, ErrorKind::ValueNotKept);
    }
    assert_eq!(ledger.payments(), 1);
    let record = store.record_of(&pay_key("1")).await;
    assert_eq!((record.status, record.value), (Status::Completed, Some(RecordedValue::new(1, None))));
}

/// Loses the last digit on the way back.
struct Lying;

impl Codec<Cents> for Lying {
    fn encode(value: &Cents) -> Result<Vec<u8>, CodecError> {
        Decimal::encode(value)
    }

    fn decode(bytes: &[u8]) -> Result<Cents, CodecError> {
        Decimal::decode(bytes).map(|cents| Cents(cents.0 / 10))
    }
}

pub async fn a_value_that_a_codec_changes_is_not_kept(store: &Tested) {
    is_not_kept::<Lying>(store).await;
}

struct Mute;

impl Codec<Cents> for Mute {
    fn encode(_: &Cents) -> Result<Vec<u8>, CodecError> {
        Err(CodecError::new("no bytes"))
    }

    fn decode(_: &[u8]) -> Result<Cents, CodecError> {
        Err(CodecError::new("no value"))
    }
}

pub async fn a_value_that_a_codec_does_not_encode_is_not_kept(store: &Tested) {
    is_not_kept::<Mute>(store).await;
}

/// Reads nothing of what it has written.
struct Forgetful;

impl Codec<Cents> for Forgetful {
    fn encode(value: &Cents) -> Result<Vec<u8>, CodecError> {
        Decimal::encode(value)
    }

    fn decode(_: &[u8]) -> Result<Cents, CodecError> {
        Err(CodecError::new("forgotten"))
    }
}

pub async fn a_value_that_a_codec_does_not_decode_is_not_kept(store: &Tested) {
    is_not_kept::<Forgetful>(store).await;
}

pub async fn a_recorded_value_that_a_codec_does_not_read_is_an_error_and_not_run_again(store: &Tested) {
    let ledger = Ledger::new();
    value_of(call::<Decimal>(store, &ledger).await);
    let told = refusal(call::<Forgetful>(store, &ledger).await);
    assert_eq!(told.kind(), ErrorKind::Codec);
    assert!(told.to_string().contains("forgotten"), "{told}");
    assert_eq!(ledger.payments(), 1);
}

pub async fn a_panic_of_a_codec_does_not_run_the_body_again(store: &Tested) {
    struct Panicking;
    impl Codec<Cents> for Panicking {
        fn encode(_: &Cents) -> Result<Vec<u8>, CodecError> {
            std::panic::resume_unwind(Box::new("out of paper"))
        }

        fn decode(bytes: &[u8]) -> Result<Cents, CodecError> {
            Decimal::decode(bytes)
        }
    }
    let (store, ledger) = (store.clone(), Ledger::new());
    let (there, entered) = (store.clone(), ledger.clone());
    let ended = tokio::spawn(async move { call::<Panicking>(&there, &entered).await }).await;
    assert!(ended.is_err_and(|error| error.is_panic()));
    assert_refused(call::<Panicking>(&store, &ledger).await, ErrorKind::ValueNotKept);
    assert_eq!(ledger.payments(), 1);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct First {
    cents: u64,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Second {
    cents: u64,
    currency: String,
}

#[allow(clippy::needless_pass_by_value, reason = "a migration takes it so")]
fn upgrade(old: OldValue<'_>) -> Result<Second, CodecError> {
    match old.version() {
        1 => old
            .decode::<JsonCodec, First>()
            .map(|first| Second { cents: first.cents, currency: "EUR".into() }),
        other => Err(CodecError::new(format!("version {other} was never released"))),
    }
}

async fn versioned<T: Replayable>(
    store: &Tested,
    outcome: Outcome<T, Failure>,
    value: Option<T>,
) -> Result<T, Failure> {
    let body = async { value.ok_or(Failure::Declined(0)) };
    pay(store, "1").run_as(outcome, body).await
}

pub async fn a_value_of_an_earlier_version_is_read_by_the_migration(store: &Tested) {
    value_of(versioned(store, Outcome::new(), Some(First { cents: 5 })).await);
    let before = store.record_of(&pay_key("1")).await;
    for _ in 0..2 {
        let told = versioned(store, Outcome::new().version(2).migrate(upgrade), None).await;
        assert_eq!(value_of(told), Second { cents: 5, currency: "EUR".into() });
    }
    assert_eq!(store.record_of(&pay_key("1")).await, before, "a migration changes no record");
}

pub async fn a_value_of_an_earlier_version_without_a_migration_is_an_error_and_not_run_again(store: &Tested) {
    value_of(versioned(store, Outcome::new(), Some(First { cents: 5 })).await);
    let told = versioned(store, Outcome::new().version(2), Some(First { cents: 6 })).await;
    assert_refused(told, ErrorKind::Codec);
}

pub async fn a_value_of_a_later_version_is_an_error_and_not_run_again(store: &Tested) {
    let second = Second { cents: 5, currency: "EUR".into() };
    value_of(versioned(store, Outcome::new().version(3).migrate(upgrade), Some(second)).await);
    assert_eq!(store.record_of(&pay_key("1")).await.value.map(|value| value.version), Some(3));
    // The code before the change, as it runs beside the new one during a deployment.
    assert_refused(versioned(store, Outcome::new(), Some(First { cents: 6 })).await, ErrorKind::Codec);
    // A migration reads what is older, and nothing else.
    let any = |_: OldValue<'_>| Ok(Second { cents: 0, currency: String::new() });
    assert_refused(versioned(store, Outcome::new().version(2).migrate(any), None).await, ErrorKind::Codec);
}

pub async fn an_error_of_a_migration_is_told_and_the_body_does_not_run(store: &Tested) {
    let outcome = Outcome::new().version(2).migrate(upgrade);
    value_of(versioned(store, outcome, Some(Second { cents: 1, currency: String::new() })).await);
    let told = refusal(versioned(store, Outcome::new().version(3).migrate(upgrade), None).await);
    assert_eq!(told.kind(), ErrorKind::Codec);
    assert!(told.to_string().contains("version 2 was never released"), "{told}");
}
