//! SQLite: what a claim costs in a small and in a large file, what a purge costs those who call meanwhile, and what a
//! record takes on the disk.
//!
//! `IDEMPOTENCY_GROWTH_RECORDS` says how large the large file is (a million records by default).

use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use idempotency::{AnyStore, idempotent, store::SqliteStore};
use rusqlite::Connection;

const SMALL: u64 = 10_000;
const CALLERS: usize = 64;

#[idempotent(key = "tenant + op + order_no", validate = "amount", ignore(store), ttl = "7d", store = store)]
async fn order(
    store: &AnyStore,
    tenant: &str,
    order_no: u64,
    amount: u64,
) -> Result<u64, idempotency::Error> {
    Ok(amount)
}

fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

/// Completed records whose retention ends then.
async fn fill(path: &Path, records: u64, retain_until: i64) {
    drop(SqliteStore::open(path).await.unwrap());
    let connection = Connection::open(path).unwrap();
    connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000").unwrap();
    // Keys in no order, as those of many tenants come.
    let insert = "
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
        INSERT INTO idempotency_records (key, status, fingerprint, owner, epoch, attempt, claimed_at, lease_until, on_crash,
            announced, completed_at, expires_at, retain_until, value_version, value)
        SELECT 'order:tenant-' || (n * 7919 % 1000) || '#order#' || (n * 104729 % 1000000007), 'completed', randomblob(33),
            randomblob(16), 1, 1, 1, 1, 'rerun', 0, 1, ?2, ?2 + n % 1000, 1, randomblob(40)
        FROM numbers WHERE true ON CONFLICT DO NOTHING";
    connection.execute(insert, (records.cast_signed(), retain_until)).unwrap();
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
}

/// The times of so many first executions, by so many callers, in order.
async fn times(store: &AnyStore, callers: usize, calls: u64, from: u64) -> Vec<Duration> {
    let tasks: Vec<_> = (0..callers)
        .map(|caller| {
            let store = store.clone();
            tokio::spawn(async move {
                let mut times = Vec::new();
                for call in 0..calls {
                    let began = Instant::now();
                    order(&store, &format!("caller-{caller}"), from + call, 5).await.unwrap();
                    times.push(began.elapsed());
                }
                times
            })
        })
        .collect();
    let mut all = Vec::new();
    for task in tasks {
        all.extend(task.await.unwrap());
    }
    all.sort_unstable();
    all
}

fn at(times: &[Duration], share: f64) -> Duration {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    times[((times.len() - 1) as f64 * share) as usize]
}

async fn growth(folder: &Path, large: u64) {
    let later = now() + 86_400_000;
    let mut stores = Vec::new();
    for (name, records) in [("small.db", SMALL), ("large.db", large)] {
        let path = folder.join(name);
        fill(&path, records, later).await;
        let bytes = std::fs::metadata(&path).unwrap().len();
        println!("{records} records: {} bytes each", bytes / records);
        stores.push(AnyStore::from(SqliteStore::open(&path).await.unwrap()));
    }
    // In turns, so that both see the same machine.
    let (mut small, mut grown) = (Vec::new(), Vec::new());
    for round in 0..20 {
        small.extend(times(&stores[0], 1, 200, round * 1_000).await);
        grown.extend(times(&stores[1], 1, 200, round * 1_000).await);
    }
    small.sort_unstable();
    grown.sort_unstable();
    for share in [0.5, 0.99] {
        let (small, grown) = (at(&small, share), at(&grown, share));
        println!(
            "first execution, quantile {share}: {small:?} with {SMALL} records, {grown:?} with {large}: {:.2}",
            grown.as_secs_f64() / small.as_secs_f64()
        );
    }
}

async fn purge(folder: &Path, expired: u64) {
    let path = folder.join("expired.db");
    fill(&path, expired, 1_000).await;
    let count = || {
        let connection = Connection::open(&path).unwrap();
        connection
            .query_row("SELECT count(*) FROM idempotency_records", [], |row| row.get::<_, i64>(0))
            .unwrap()
    };
    let (mut without, mut with) = (Vec::new(), Vec::new());
    let (mut removed, mut calls) = (0, 0);
    // In turns, so that both see the same machine.
    for _ in 0..10 {
        for (every, all) in [(None, &mut without), (Some(Duration::from_millis(1)), &mut with)] {
            let before = count();
            let store: AnyStore = SqliteStore::builder(&path).purge_every(every).open().await.unwrap().into();
            times(&store, CALLERS, 20, calls).await;
            all.extend(times(&store, CALLERS, 200, calls + 20).await);
            calls += 220;
            removed += before + 220 * CALLERS as i64 - count();
        }
    }
    without.sort_unstable();
    with.sort_unstable();
    println!("{removed} of {expired} expired records were removed meanwhile");
    for share in [0.5, 0.99] {
        let (without, with) = (at(&without, share), at(&with, share));
        println!(
            "{CALLERS} callers, quantile {share}: {without:?} without a purge, {with:?} with one: {:.2}",
            with.as_secs_f64() / without.as_secs_f64()
        );
    }
}

#[tokio::main]
async fn main() {
    // `cargo test --benches` wants to know that it works, not how fast.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let asked = std::env::var("IDEMPOTENCY_GROWTH_RECORDS").ok().and_then(|text| text.parse().ok());
    let records = if is_bench { asked.unwrap_or(1_000_000) } else { 20_000 };
    let folder = tempfile::tempdir().unwrap();
    growth(folder.path(), records).await;
    purge(folder.path(), records.min(1_000_000)).await;
}
