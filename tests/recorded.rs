//! `on_expired`, `tombstone`, `on_store_error`, `version`, `migrate` and `codec`.
#![cfg(feature = "memory")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use idempotency::store::MemoryStore;
use idempotency::{
    AnyStore, Capabilities, Change, Claim, ClaimRequest, Codec, CodecError, Error, ErrorKind, Evict,
    IdempotencyKey, ListRequest, ManualClock, OldValue, OwnerToken, OwnerWrite, Record, RecordedValue, Store,
    StoreError, StoreErrorKind, Timestamp, Written, idempotent, with_store,
};
use serde::{Deserialize, Serialize};

const NOW: Timestamp = Timestamp::from_millis(1_782_639_000_000);
const DAY: Duration = Duration::from_secs(86_400);

#[tokio::test]
async fn a_late_call_is_rejected_while_the_tombstone_is_kept() {
    #[idempotent(key = "order_no", ttl = "1d", on_expired = reject, tombstone = "2d", ignore(runs), store = store)]
    async fn create(order_no: u32, runs: u32, store: AnyStore) -> Result<u32, Error> {
        Ok(order_no + runs)
    }
    let clock = ManualClock::at(NOW);
    let store = AnyStore::new(MemoryStore::new()).with_clock(clock.clone());
    assert_eq!(create(7, 1, store.clone()).await.unwrap(), 8);
    clock.advance(DAY);
    assert_eq!(create(7, 2, store.clone()).await.unwrap(), 8);
    clock.advance(DAY);
    let error = create(7, 3, store.clone()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Expired);
    clock.advance(DAY * 2);
    assert_eq!(create(7, 4, store).await.unwrap(), 11);
}

#[tokio::test]
async fn a_late_call_runs_where_nothing_else_is_asked_for() {
    #[idempotent(key = "order_no", ttl = "1d", on_expired = run, ignore(runs), store = store)]
    async fn create(order_no: u32, runs: u32, store: AnyStore) -> Result<u32, Error> {
        Ok(order_no + runs)
    }
    let clock = ManualClock::at(NOW);
    let store = AnyStore::new(MemoryStore::new()).with_clock(clock.clone());
    assert_eq!(create(7, 1, store.clone()).await.unwrap(), 8);
    clock.advance(DAY * 2);
    assert_eq!(create(7, 2, store).await.unwrap(), 9);
}

/// A store that cannot be reached.
#[derive(Clone, Debug)]
struct Unreachable;

fn unreachable_store() -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, "no route")
}

impl Store for Unreachable {
    async fn claim(&self, _: ClaimRequest) -> Result<Claim, StoreError> {
        Err(unreachable_store())
    }

    async fn write(&self, _: OwnerWrite) -> Result<Written, StoreError> {
        Err(unreachable_store())
    }

    async fn inspect(&self, _: &IdempotencyKey) -> Result<Option<Record>, StoreError> {
        Err(unreachable_store())
    }

    async fn evict(&self, _: Evict) -> Result<bool, StoreError> {
        Err(unreachable_store())
    }

    async fn list(&self, _: ListRequest) -> Result<Vec<Record>, StoreError> {
        Err(unreachable_store())
    }

    async fn ready(&self) -> Result<(), StoreError> {
        Err(unreachable_store())
    }

    fn capabilities(&self) -> Capabilities {
        MemoryStore::new().capabilities()
    }

    fn identity(&self) -> &'static str {
        "unreachable:"
    }
}

#[tokio::test]
async fn without_the_store_the_body_runs_only_where_that_is_asked_for() {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    #[idempotent(key = "order_no", ttl = "1d", on_store_error = run)]
    async fn open(order_no: u32) -> Result<u32, Error> {
        Ok(order_no + RUNS.fetch_add(1, Ordering::SeqCst))
    }
    #[idempotent(key = "order_no", ttl = "1d", on_store_error = reject)]
    async fn closed(order_no: u32) -> Result<u32, Error> {
        unreachable!("{order_no}")
    }
    with_store(Unreachable, async {
        assert_eq!(open(7).await.unwrap(), 7);
        assert_eq!(open(7).await.unwrap(), 8);
        let error = closed(7).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Store);
    })
    .await;
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Receipt {
    cents: u64,
    currency: String,
}

#[derive(Serialize, Deserialize)]
struct OldReceipt {
    cents: u64,
}

fn upgrade(old: OldValue<'_>) -> Result<Receipt, CodecError> {
    assert_eq!(old.version(), 1);
    let OldReceipt { cents } = old.json()?;
    Ok(Receipt { cents, currency: "EUR".into() })
}

/// The same records for a caller whose clock stands still.
fn at_now(store: &MemoryStore) -> AnyStore {
    AnyStore::new(store.clone()).with_clock(ManualClock::at(NOW))
}

/// Leaves the record that an older release has written.
async fn record(store: &MemoryStore, key: &str, value: RecordedValue) {
    let (key, now) = (IdempotencyKey::from_stored(key), NOW);
    let owner = OwnerToken::draw(now).unwrap();
    let lease_until = now.plus(Duration::from_secs(30));
    let claim = store.claim(ClaimRequest::new(key.clone(), owner, now, lease_until, DAY)).await.unwrap();
    let Claim::Acquired { epoch, .. } = claim else { panic!("{claim:?}") };
    let write = OwnerWrite::new(key, owner, epoch, now, DAY, Change::Complete(value));
    assert!(matches!(store.write(write).await.unwrap(), Written::Applied { .. }));
}

#[tokio::test]
async fn a_recorded_value_of_an_older_version_is_migrated() {
    #[idempotent(key = "order_no", ttl = "1d", version = 2, migrate = upgrade)]
    async fn pay(order_no: u32) -> Result<Receipt, Error> {
        Ok(Receipt { cents: order_no.into(), currency: "USD".into() })
    }
    let store = MemoryStore::new();
    record(&store, "pay:7", RecordedValue::new(1, Some(Arc::from(&br#"{"cents":12900}"#[..])))).await;
    with_store(at_now(&store), async {
        let migrated = Receipt { cents: 12_900, currency: "EUR".into() };
        assert_eq!(pay(7).await.unwrap(), migrated);
        assert_eq!(pay(8).await.unwrap().currency, "USD");
    })
    .await;
    let written = store.inspect(&IdempotencyKey::from_stored("pay:8")).await.unwrap().unwrap();
    assert_eq!(written.value.unwrap().version, 2);
}

#[tokio::test]
async fn a_recorded_value_of_another_version_is_an_error_and_not_run_again() {
    #[idempotent(key = "order_no", ttl = "1d", version = 2)]
    async fn pay(order_no: u32) -> Result<OldOrNew, Error> {
        unreachable!("{order_no}")
    }
    type OldOrNew = u64;
    let store = MemoryStore::new();
    record(&store, "pay:7", RecordedValue::new(1, Some(Arc::from(&b"12900"[..])))).await;
    record(&store, "pay:8", RecordedValue::new(3, Some(Arc::from(&b"12900"[..])))).await;
    with_store(at_now(&store), async {
        assert_eq!(pay(7).await.unwrap_err().kind(), ErrorKind::Codec);
        assert_eq!(pay(8).await.unwrap_err().kind(), ErrorKind::Codec);
    })
    .await;
}

#[tokio::test]
async fn a_codec_records_what_has_no_serde() {
    #[derive(Debug, PartialEq)]
    struct Ticket(u64);
    struct Decimal;
    impl Codec<Ticket> for Decimal {
        fn encode(ticket: &Ticket) -> Result<Vec<u8>, CodecError> {
            Ok(format!("#{}", ticket.0).into_bytes())
        }

        fn decode(bytes: &[u8]) -> Result<Ticket, CodecError> {
            let text = std::str::from_utf8(bytes).map_err(CodecError::new)?;
            Ok(Ticket(text.trim_start_matches('#').parse().map_err(CodecError::new)?))
        }
    }
    #[idempotent(key = "order_no", ignore(number), ttl = "1d", codec = Decimal)]
    async fn issue(order_no: u32, number: u64) -> Result<Ticket, Error> {
        Ok(Ticket(number))
    }
    let store = MemoryStore::new();
    with_store(store.clone(), async {
        assert_eq!(issue(7, 70).await.unwrap(), Ticket(70));
        assert_eq!(issue(7, 71).await.unwrap(), Ticket(70));
    })
    .await;
    let written = store.inspect(&IdempotencyKey::from_stored("issue:7")).await.unwrap().unwrap();
    assert_eq!(written.value.unwrap().bytes.as_deref(), Some(&b"#70"[..]));
}
