//! SQLite, one caller and many: first execution and replay beside a hand-written version with two statements, both with a
//! write-ahead log, `synchronous = FULL`, and the work on a thread that may block.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use idempotency::{AnyStore, idempotent, store::SqliteStore};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct Receipt {
    order_no: u64,
    charged_cents: u64,
}

#[idempotent(key = "tenant + op + order_no", validate = "amount", ignore(store), ttl = "7d", store = store)]
async fn ours(
    store: &AnyStore,
    tenant: &str,
    order_no: u64,
    amount: u64,
) -> Result<Receipt, idempotency::Error> {
    Ok(Receipt { order_no, charged_cents: amount })
}

/// What one writes by hand: the key claimed by an insert, the answer stored by an update.
#[derive(Clone)]
struct ByHand(Arc<Mutex<Connection>>);

impl ByHand {
    fn open(path: &std::path::Path) -> Self {
        let connection = Connection::open(path).unwrap();
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
                 CREATE TABLE records (key TEXT PRIMARY KEY, answer BLOB) WITHOUT ROWID;",
            )
            .unwrap();
        Self(Arc::new(Mutex::new(connection)))
    }

    async fn call<T: Send + 'static>(&self, work: impl FnOnce(&Connection) -> T + Send + 'static) -> T {
        let connection = self.0.clone();
        tokio::task::spawn_blocking(move || work(&connection.lock().unwrap())).await.unwrap()
    }

    async fn run(&self, tenant: &str, order_no: u64, amount: u64) -> Receipt {
        let key = format!("{tenant}#{order_no}");
        let claim = key.clone();
        let found: Option<Vec<u8>> = self
            .call(move |connection| {
                let inserted = connection
                    .prepare_cached("INSERT INTO records (key) VALUES (?1) ON CONFLICT DO NOTHING")
                    .unwrap()
                    .execute([&claim])
                    .unwrap();
                (inserted == 0).then(|| {
                    connection
                        .prepare_cached("SELECT answer FROM records WHERE key = ?1")
                        .unwrap()
                        .query_row([&claim], |row| row.get(0))
                        .unwrap()
                })
            })
            .await;
        if let Some(answer) = found {
            return serde_json::from_slice(&answer).unwrap();
        }
        let receipt = Receipt { order_no, charged_cents: amount };
        let answer = serde_json::to_vec(&receipt).unwrap();
        self.call(move |connection| {
            connection
                .prepare_cached("UPDATE records SET answer = ?2 WHERE key = ?1")
                .unwrap()
                .execute((&key, answer))
                .unwrap()
        })
        .await;
        receipt
    }
}

static NEXT: AtomicU64 = AtomicU64::new(1_000);

fn next() -> u64 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn one_caller(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store: AnyStore = runtime.block_on(SqliteStore::open(folder.path().join("ours.db"))).unwrap().into();
    let by_hand = ByHand::open(&folder.path().join("by-hand.db"));
    let mut group = criterion.benchmark_group("sqlite/first");
    group.bench_function("by hand", |bench| {
        bench.to_async(&runtime).iter(|| by_hand.run("tenant-a", next(), 5));
    });
    group.bench_function("idempotency", |bench| {
        bench.to_async(&runtime).iter(|| async { ours(&store, "tenant-a", next(), 5).await.unwrap() });
    });
    group.finish();
    let mut group = criterion.benchmark_group("sqlite/replay");
    group.bench_function("by hand", |bench| {
        bench.to_async(&runtime).iter(|| by_hand.run("tenant-a", 7, 5));
    });
    group.bench_function("idempotency", |bench| {
        bench.to_async(&runtime).iter(|| async { ours(&store, "tenant-a", 7, 5).await.unwrap() });
    });
    group.finish();
}

/// So many calls at the same time, each of a key of its own.
const CALLERS: u64 = 64;

/// The time in which this many calls are made by [`CALLERS`] tasks.
async fn crowd<F>(calls: u64, call: impl Fn() -> F + Clone + Send + 'static) -> Duration
where
    F: Future<Output = ()> + Send,
{
    let began = Instant::now();
    let tasks: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let call = call.clone();
            let share = calls / CALLERS + u64::from(caller < calls % CALLERS);
            tokio::spawn(async move {
                for _ in 0..share {
                    call().await;
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    began.elapsed()
}

fn many_callers(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store: AnyStore = runtime.block_on(SqliteStore::open(folder.path().join("ours.db"))).unwrap().into();
    let by_hand = ByHand::open(&folder.path().join("by-hand.db"));
    let mut group = criterion.benchmark_group("sqlite/64 callers");
    group.sample_size(20);
    group.bench_function("by hand", |bench| {
        bench.to_async(&runtime).iter_custom(|calls| {
            let by_hand = by_hand.clone();
            crowd(calls, move || {
                let by_hand = by_hand.clone();
                async move { drop(by_hand.run("tenant-a", next(), 5).await) }
            })
        });
    });
    group.bench_function("idempotency", |bench| {
        bench.to_async(&runtime).iter_custom(|calls| {
            let store = store.clone();
            crowd(calls, move || {
                let store = store.clone();
                async move { drop(ours(&store, "tenant-a", next(), 5).await.unwrap()) }
            })
        });
    });
    group.finish();
}

criterion_group!(benches, one_caller, many_callers);
criterion_main!(benches);
