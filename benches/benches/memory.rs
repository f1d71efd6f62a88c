//! In memory: first execution and replay beside the bare function, a hand-written map, and two crates.
//!
//! All of them get the same three-part key and the same request of about 200 bytes, and return the same value.
//! What they guarantee differs; `docs/performance.md` says how.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use idempotency::{AnyStore, idempotent, store::MemoryStore};
use idempotent::fingerprint::{DefaultFingerprintStrategy, FingerprintStrategy};
use idempotent::store::{IdempotencyStore, InsertResult};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct Body {
    customer: String,
    amount_cents: u64,
    currency: String,
    lines: Vec<Line>,
    note: Option<String>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Line {
    sku: String,
    quantity: u32,
}

#[derive(Clone, Serialize, Deserialize)]
struct Receipt {
    order_no: u64,
    charged_cents: u64,
}

fn body() -> Body {
    Body {
        customer: "customer-0042".into(),
        amount_cents: 12_900,
        currency: "EUR".into(),
        lines: vec![
            Line { sku: "COFFEE-1KG".into(), quantity: 2 },
            Line { sku: "FILTER-100".into(), quantity: 1 },
        ],
        note: Some("leave it at the door, please".into()),
    }
}

async fn bare(order_no: u64, body: &Body) -> Result<Receipt, idempotency::Error> {
    Ok(Receipt { order_no, charged_cents: black_box(body).amount_cents })
}

#[idempotent(
    key = "tenant + op + order_no + region",
    validate = "body",
    ignore(store),
    ttl = "200ms",
    store = store,
    allow(ttl-below-lease, reason = "outcomes are forgotten while the bench runs")
)]
async fn ours(
    store: &AnyStore,
    tenant: &str,
    order_no: u64,
    region: &str,
    body: &Body,
) -> Result<Receipt, idempotency::Error> {
    bare(order_no, body).await
}

#[idempotent(
    key = "tenant + op + order_no + region",
    validate = none,
    ignore(store, body),
    ttl = "200ms",
    store = store,
    allow(ttl-below-lease, reason = "outcomes are forgotten while the bench runs")
)]
async fn ours_without_fingerprint(
    store: &AnyStore,
    tenant: &str,
    order_no: u64,
    region: &str,
    body: &Body,
) -> Result<Receipt, idempotency::Error> {
    bare(order_no, body).await
}

/// What one writes by hand: no fingerprint, no lease, no owner; the value is cloned.
#[derive(Default)]
struct ByHand(Mutex<HashMap<String, Option<Receipt>>>);

impl ByHand {
    async fn run(&self, tenant: &str, order_no: u64, region: &str, body: &Body) -> Receipt {
        let key = format!("{tenant}#{order_no}#{region}");
        {
            let mut map = self.0.lock().unwrap();
            if let Some(Some(receipt)) = map.get(&key) {
                return receipt.clone();
            }
            if map.len() > 100_000 {
                map.clear();
            }
            map.insert(key.clone(), None);
        }
        let receipt = bare(order_no, body).await.unwrap();
        self.0.lock().unwrap().insert(key, Some(receipt.clone()));
        receipt
    }
}

/// The memory store of the `idempotent` crate, as its documentation uses it: fingerprint of the request's bytes,
/// encoded answer.
async fn with_idempotent(
    store: &idempotent::store::memory::MemoryStore,
    order_no: u64,
    body: &Body,
) -> Receipt {
    let key = idempotent::IdempotencyKey::new(format!("tenant-a#{order_no}#eu")).unwrap();
    let bytes = serde_json::to_vec(body).unwrap();
    let fingerprint = DefaultFingerprintStrategy.compute("create_order", &bytes);
    let entry = idempotent::IdempotencyEntry::new(fingerprint, Duration::from_millis(200));
    match store.try_insert(&key, entry.clone()).await.unwrap() {
        InsertResult::Claimed { fencing_token } => {
            let receipt = bare(order_no, body).await.unwrap();
            let response = idempotent::CachedResponse {
                status_code: 200,
                metadata: idempotent::Metadata::default(),
                body: serde_json::to_vec(&receipt).unwrap().into(),
            };
            store.complete(&key, entry.complete(response), fencing_token).await.unwrap();
            receipt
        }
        InsertResult::Exists(idempotent::entry::ExistingEntry::Completed(entry)) => {
            assert!(entry.fingerprint_matches(fingerprint));
            serde_json::from_slice(&entry.response().body).unwrap()
        }
        InsertResult::Exists(_) => unreachable!("no two calls at a time"),
    }
}

#[allow(unused_variables, reason = "they are part of the key")]
#[cached::macros::cached(
    max_size = 100_000,
    key = "String",
    convert = r#"{ format!("{tenant}#{order_no}#{region}") }"#
)]
async fn with_cached(tenant: &str, order_no: u64, region: &str, body: &Body) -> Receipt {
    bare(order_no, body).await.unwrap()
}

static NEXT: AtomicU64 = AtomicU64::new(1_000);

fn next() -> u64 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn first_execution(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut group = criterion.benchmark_group("memory/first");
    let body = body();
    // Outcomes are kept for no longer than this allows.
    let store = AnyStore::new(MemoryStore::new()).with_skew_budget(Duration::from_millis(100));
    let by_hand = ByHand::default();
    let theirs = {
        let _in_runtime = runtime.enter();
        idempotent::store::memory::MemoryStore::new(1_024, Duration::from_millis(100))
    };
    group.bench_function("bare", |bench| {
        bench.to_async(&runtime).iter(|| async { bare(next(), &body).await.unwrap() });
    });
    group.bench_function("idempotency", |bench| {
        bench
            .to_async(&runtime)
            .iter(|| async { ours(&store, "tenant-a", next(), "eu", &body).await.unwrap() });
    });
    group.bench_function("idempotency, validate = none", |bench| {
        bench.to_async(&runtime).iter(|| async {
            ours_without_fingerprint(&store, "tenant-a", next(), "eu", &body).await.unwrap()
        });
    });
    group.bench_function("by hand", |bench| {
        bench.to_async(&runtime).iter(|| by_hand.run("tenant-a", next(), "eu", &body));
    });
    group.bench_function("idempotent 0.3", |bench| {
        bench.to_async(&runtime).iter(|| with_idempotent(&theirs, next(), &body));
    });
    group.bench_function("cached 4", |bench| {
        bench.to_async(&runtime).iter(|| with_cached("tenant-a", next(), "eu", &body));
    });
    group.finish();
}

fn replay(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut group = criterion.benchmark_group("memory/replay");
    let body = body();
    // The clock stands still, or the outcome would expire while it is measured.
    let clock = idempotency::ManualClock::at(idempotency::Timestamp::from_millis(1_782_639_000_000));
    let store =
        AnyStore::new(MemoryStore::new()).with_clock(clock).with_skew_budget(Duration::from_millis(100));
    let by_hand = ByHand::default();
    group.bench_function("idempotency", |bench| {
        bench.to_async(&runtime).iter(|| async { ours(&store, "tenant-a", 7, "eu", &body).await.unwrap() });
    });
    group.bench_function("idempotency, validate = none", |bench| {
        bench
            .to_async(&runtime)
            .iter(|| async { ours_without_fingerprint(&store, "tenant-a", 7, "eu", &body).await.unwrap() });
    });
    group.bench_function("by hand", |bench| {
        bench.to_async(&runtime).iter(|| by_hand.run("tenant-a", 7, "eu", &body));
    });
    let theirs = {
        let _in_runtime = runtime.enter();
        idempotent::store::memory::MemoryStore::new(1_024, Duration::from_secs(60))
    };
    group.bench_function("idempotent 0.3", |bench| {
        bench.to_async(&runtime).iter(|| with_idempotent(&theirs, 7, &body));
    });
    group.bench_function("cached 4", |bench| {
        bench.to_async(&runtime).iter(|| with_cached("tenant-a", 7, "eu", &body));
    });
    group.finish();
}

criterion_group!(benches, first_execution, replay);
criterion_main!(benches);
