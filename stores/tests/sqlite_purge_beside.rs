//! Purging in the background beside callers and beside another store that purges: whatever is forgotten goes, all else
//! stays, and nobody's call fails.
//!
//! `IDEMPOTENCY_CONFORMANCE_ROUNDS` multiplies the records: with a thousand there are a million.

#![cfg(feature = "sqlite")]

mod sqlite_support;

use std::time::{Duration, Instant, SystemTime};

use idempotency_conformance::script::LEASE;
use idempotency_runtime::{Store as _, Timestamp};
use idempotency_stores::SqliteStore;

use crate::sqlite_support::{Place, claim_of, finish, numbered, try_acquire};

const RECORDS: i64 = 1_000;
const CALLERS: usize = 8;

/// What callers record meanwhile is kept for longer than this takes.
const A_DAY: Duration = Duration::from_secs(86_400);

/// The usual number takes a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// Makes so many records out of the only one. Nine of ten are forgotten; the others are old in the same way, and each is
/// kept for a reason of its own.
fn multiply(place: &Place, records: i64) {
    let kept = "CASE n % 90 WHEN 0 THEN 'unknown' WHEN 10 THEN 'in_progress' WHEN 20 THEN 'in_progress'
        WHEN 30 THEN 'paused' WHEN 40 THEN 'unknown' ELSE 'completed' END";
    let sql = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < {records})
         INSERT INTO idempotency_records
         SELECT 'old:' || n, {kept}, fingerprint, owner, epoch, attempt, claimed_at, lease_until,
             iif(n % 90 = 20, 'hold', 'rerun'), n % 90 = 10, completed_at, expires_at,
             CASE n % 90 WHEN 50 THEN NULL WHEN 60 THEN -1 WHEN 70 THEN 1 << 62 WHEN 80 THEN NULL
                 ELSE n END,
             value_version, value
         FROM numbers, idempotency_records"
    );
    let connection = place.connect();
    connection.execute_batch(&sql).unwrap();
    connection.execute_batch("DELETE FROM idempotency_records WHERE key NOT LIKE 'old:%'").unwrap();
}

fn now() -> Timestamp {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    Timestamp::from_millis(u64::try_from(since_1970.as_millis()).unwrap())
}

fn count(place: &Place, keys: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM idempotency_records WHERE {keys}");
    place.connect().query_row(&sql, [], |row| row.get(0)).unwrap()
}

async fn open(place: &Place, purge_every: Option<Duration>) -> SqliteStore {
    SqliteStore::builder(place.file()).purge_every(purge_every).open().await.unwrap()
}

/// Claims and completes keys of its own until the old ones are gone; how long each call took.
async fn keep_calling(
    store: SqliteStore,
    caller: usize,
    stop: tokio::sync::watch::Receiver<bool>,
) -> Vec<Duration> {
    let mut took = Vec::new();
    for call in 0.. {
        if *stop.borrow() {
            break;
        }
        let began = Instant::now();
        let mut claim = claim_of(&numbered(caller * 10_000_000 + call));
        claim.now = now();
        claim.ttl = A_DAY;
        claim.lease_until = claim.now.plus(LEASE);
        let held = try_acquire(&store, claim).await.unwrap();
        let mut completed = held.complete(now());
        completed.ttl = A_DAY;
        let _ = store.write(completed).await.unwrap();
        took.push(began.elapsed());
    }
    took
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_forgotten_goes_beside_callers_and_all_else_stays() {
    let rounds = std::env::var("IDEMPOTENCY_CONFORMANCE_ROUNDS").map_or(1, |text| text.parse().unwrap());
    let records = RECORDS * rounds;
    let place = Place::new();
    finish(&open(&place, None).await, &numbered(1)).await;
    multiply(&place, records);
    let forgotten = "key LIKE 'old:%' AND substr(key, 5) % 10 != 0";
    let kept = count(&place, "key LIKE 'old:%' AND substr(key, 5) % 10 = 0");
    assert!(count(&place, forgotten) > records * 8 / 10 && kept > 0);

    let every = Some(Duration::from_millis(5));
    let stores = [open(&place, every).await, open(&place, every).await];
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let callers = (0..CALLERS)
        .map(|caller| tokio::spawn(keep_calling(stores[caller % 2].clone(), caller, stopped.clone())));
    let callers: Vec<_> = callers.collect();
    let began = Instant::now();
    while count(&place, forgotten) > 0 {
        assert!(began.elapsed() < PATIENCE * u32::try_from(rounds).unwrap(), "they are still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let purged = began.elapsed();
    stop.send(true).unwrap();
    let mut took = Vec::new();
    for caller in callers {
        took.extend(caller.await.unwrap());
    }
    took.sort();
    println!(
        "{records} records in {purged:?}; {} calls meanwhile, 99 % within {:?}, the slowest {:?}",
        took.len(),
        took[took.len() * 99 / 100],
        took[took.len() - 1]
    );
    assert_eq!(count(&place, "key NOT LIKE 'old:%'"), i64::try_from(took.len()).unwrap());
    assert_eq!(count(&place, "key LIKE 'old:%'"), kept);
}
