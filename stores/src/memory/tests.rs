use idempotency_runtime::{Change, Epoch, OnCrash, OwnerToken, RecordedValue};

use super::*;

const LEASE: Duration = Duration::from_secs(30);
const TTL: Duration = Duration::from_secs(60);
const OWNER: OwnerToken = OwnerToken::from_bytes([1; 16]);

fn at(seconds: u64) -> Timestamp {
    Timestamp::from_millis(1_000_000 + seconds * 1_000)
}

fn key(number: usize) -> IdempotencyKey {
    IdempotencyKey::from_stored(&format!("op:{number}"))
}

fn store_of(capacity: usize) -> MemoryStore {
    MemoryStore::builder().capacity(capacity).build()
}

async fn claim(store: &MemoryStore, number: usize, now: Timestamp) -> Result<Claim, StoreError> {
    store.claim(ClaimRequest::new(key(number), OWNER, now, now.plus(LEASE), TTL)).await
}

async fn acquire(store: &MemoryStore, number: usize, now: Timestamp) -> Epoch {
    match claim(store, number, now).await.unwrap() {
        Claim::Acquired { epoch, .. } => epoch,
        other => panic!("{other:?}"),
    }
}

async fn write(
    store: &MemoryStore,
    number: usize,
    epoch: Epoch,
    now: Timestamp,
    ttl: Duration,
    change: Change,
) {
    let written = store.write(OwnerWrite::new(key(number), OWNER, epoch, now, ttl, change)).await.unwrap();
    assert!(matches!(written, Written::Applied { .. }), "{written:?}");
}

async fn complete(store: &MemoryStore, number: usize, now: Timestamp, ttl: Duration) {
    let epoch = acquire(store, number, now).await;
    write(store, number, epoch, now, ttl, Change::Complete(RecordedValue::new(1, None))).await;
}

fn assert_full<T: fmt::Debug>(answer: Result<T, StoreError>) -> String {
    let error = answer.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Full);
    error.to_string()
}

#[tokio::test]
async fn a_full_store_refuses_a_new_key_and_serves_those_it_has() {
    let store = store_of(3);
    for number in 0..3 {
        complete(&store, number, at(0), TTL).await;
    }
    let message = assert_full(claim(&store, 3, at(1)).await);
    assert!(message.contains("its bound is 3 records"), "{message}");
    assert!(message.contains("capacity("), "{message}");
    assert!(message.contains(store.identity()), "{message}");
    assert!(matches!(claim(&store, 0, at(1)).await.unwrap(), Claim::Final(_)));
    assert_eq!(store.len(), 3);
}

#[tokio::test]
async fn a_full_store_makes_room_when_a_retention_is_over() {
    let store = store_of(40);
    for number in 0..40 {
        complete(&store, number, at(0), if number == 17 { TTL / 2 } else { TTL }).await;
    }
    assert_full(claim(&store, 100, at(30)).await);
    acquire(&store, 101, at(31)).await;
    assert!(store.inspect(&key(17)).await.unwrap().is_none());
    assert_eq!(store.len(), 40);
    assert_full(claim(&store, 102, at(31)).await);
}

#[tokio::test]
async fn records_that_wait_for_a_decision_are_never_removed() {
    let store = store_of(3);
    let announced = acquire(&store, 0, at(0)).await;
    write(&store, 0, announced, at(0), TTL, Change::Announce).await;
    let unknown = acquire(&store, 1, at(0)).await;
    write(&store, 1, unknown, at(0), TTL, Change::MarkUnknown).await;
    let mut held = ClaimRequest::new(key(2), OWNER, at(0), at(30), TTL);
    held.on_crash = OnCrash::Hold;
    store.claim(held).await.unwrap();
    assert_full(claim(&store, 3, at(1_000_000_000)).await);
}

#[tokio::test]
async fn a_live_lease_outlasts_a_shorter_ttl() {
    let store = store_of(1);
    let short = ClaimRequest::new(key(0), OWNER, at(0), at(30), Duration::from_secs(1));
    store.claim(short).await.unwrap();
    assert_full(claim(&store, 1, at(31)).await);
    acquire(&store, 1, at(32)).await;
}

#[tokio::test]
async fn a_full_store_looks_again_after_a_retention_was_shortened() {
    let store = store_of(2);
    let epoch = acquire(&store, 0, at(0)).await;
    complete(&store, 1, at(0), TTL).await;
    assert_full(claim(&store, 2, at(1)).await);
    write(&store, 0, epoch, at(1), Duration::from_secs(1), Change::Release).await;
    assert_full(claim(&store, 2, at(2)).await);
    acquire(&store, 2, at(3)).await;
}

#[tokio::test]
async fn a_full_store_searches_once_until_something_can_go() {
    let store = store_of(2);
    complete(&store, 0, at(0), TTL).await;
    complete(&store, 1, at(5), TTL).await;
    assert_full(claim(&store, 2, at(6)).await);
    assert_eq!(store.inner.sweep_from.load(Ordering::Relaxed), at(60).as_millis() + 1);
    // A record behind the store's back shows that the next call does not search.
    store.inner.shard(&key(0)).records.get_mut(&key(0)).unwrap().retain_until = Some(at(1));
    let shard = |number| store.inner.hasher.hash_one(key(number).as_str()) % SHARDS as u64;
    let elsewhere = (2..1_000).find(|number| shard(*number) != shard(0)).unwrap();
    assert_full(claim(&store, elsewhere, at(7)).await);
}

#[tokio::test]
async fn evicting_makes_room_at_once() {
    let store = store_of(1);
    let epoch = acquire(&store, 0, at(0)).await;
    assert_full(claim(&store, 1, at(0)).await);
    assert!(store.evict(Evict::new(key(0), epoch)).await.unwrap());
    assert!(store.is_empty());
    acquire(&store, 1, at(0)).await;
}

#[tokio::test]
async fn a_store_without_room_refuses_every_claim() {
    assert_full(claim(&store_of(0), 0, at(0)).await);
}

#[tokio::test]
async fn inserts_remove_forgotten_records_on_their_way() {
    let store = MemoryStore::new();
    for number in 0..4_000 {
        complete(&store, number, at(0), TTL).await;
    }
    for number in 4_000..12_000 {
        complete(&store, number, at(61), TTL).await;
    }
    let left =
        (0..4_000).filter(|number| store.inner.shard(&key(*number)).records.contains_key(&key(*number)));
    assert_eq!(left.count(), 0);
    assert_eq!(store.len(), 8_000);
}

#[tokio::test]
async fn keys_spread_over_all_shards() {
    let store = MemoryStore::new();
    for number in 0..1_600 {
        acquire(&store, number, at(0)).await;
    }
    let sizes: Vec<_> = store.inner.shards.iter().map(|shard| lock(shard).records.len()).collect();
    assert_eq!(sizes.iter().sum::<usize>(), store.len());
    assert!(sizes.iter().all(|size| (20..400).contains(size)), "{sizes:?}");
}

#[tokio::test]
async fn clones_share_records_and_stores_do_not() {
    let store = MemoryStore::new();
    acquire(&store.clone(), 0, at(0)).await;
    assert_eq!(store.len(), 1);
    let other = MemoryStore::new();
    assert!(other.is_empty());
    assert_ne!(store.identity(), other.identity());
    assert_eq!(store.identity(), store.clone().identity());
}

#[test]
fn the_time_of_removal_agrees_with_is_forgotten() {
    let statuses = [Status::InProgress, Status::Released, Status::Completed, Status::Failed, Status::Unknown];
    for status in statuses {
        for (on_crash, announced) in [(OnCrash::Rerun, false), (OnCrash::Rerun, true), (OnCrash::Hold, false)]
        {
            for (retain_until, lease) in [(None, 10), (Some(at(5)), 10), (Some(at(50)), 10)] {
                let mut record = Record::claimed(key(0), OWNER, Epoch::new(1), at(0), at(lease));
                (record.status, record.on_crash, record.announced) = (status, on_crash, announced);
                record.retain_until = retain_until;
                for millis in [4_999, 5_000, 5_001, 11_999, 12_000, 12_001, 50_000, 50_001, 90_000] {
                    let now = at(0).plus(Duration::from_millis(millis));
                    let removable = removable_from(&record).is_some_and(|from| now >= from);
                    assert_eq!(
                        removable,
                        record.is_forgotten(now, DEFAULT_SKEW_BUDGET),
                        "{record:?} {millis}"
                    );
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_bound_holds_while_many_insert_and_remove() {
    let store = store_of(10);
    let clock = Arc::new(AtomicU64::new(0));
    let tasks: Vec<_> = (0..4)
        .map(|task| {
            let (store, clock) = (store.clone(), clock.clone());
            tokio::spawn(async move {
                let mut acquired = 0;
                for number in task * 10_000..task * 10_000 + 2_000 {
                    let now = at(0).plus(Duration::from_millis(clock.fetch_add(1, Ordering::Relaxed) / 20));
                    if let Ok(Claim::Acquired { epoch, .. }) = claim(&store, number, now).await {
                        acquired += 1;
                        write(&store, number, epoch, now, Duration::ZERO, Change::Release).await;
                    }
                    assert!(store.len() <= 10);
                }
                acquired
            })
        })
        .collect();
    let mut acquired = 0;
    for task in tasks {
        acquired += task.await.unwrap();
    }
    // Twenty keys are claimed per millisecond, and ten have room.
    assert!((100..8_000).contains(&acquired), "{acquired} of 8000 claims were granted");
    let held: usize = store.inner.shards.iter().map(|shard| lock(shard).records.len()).sum();
    assert_eq!(held, store.len());
}
