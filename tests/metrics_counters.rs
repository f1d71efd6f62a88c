//! Decisions as counters of the `metrics` facade.
#![cfg(all(feature = "memory", feature = "metrics"))]

use std::time::Duration;

use idempotency::store::MemoryStore;
use idempotency::{Error, Operation, operation};
use metrics_util::debugging::{DebugValue, DebuggingRecorder};

fn pay(store: &MemoryStore) -> Operation {
    operation("pay").part("order", "A-1").ttl(Duration::from_secs(600)).store(store.clone())
}

#[test]
fn decisions_are_counted_by_operation_and_never_by_key() {
    let recorder = DebuggingRecorder::new();
    let snapshots = recorder.snapshotter();
    metrics::with_local_recorder(&recorder, || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let store = MemoryStore::new();
            for _ in 0..3 {
                pay(&store).run(async { Ok::<_, Error>(1) }).await.unwrap();
            }
        });
    });
    let mut counted: Vec<(String, u64)> = snapshots
        .snapshot()
        .into_vec()
        .into_iter()
        .map(|(key, _, _, value)| {
            let key = key.key();
            let labels: Vec<String> =
                key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
            let DebugValue::Counter(count) = value else { panic!("a counter") };
            (format!("{} {}", key.name(), labels.join(" ")), count)
        })
        .collect();
    counted.sort();
    let name =
        |decision| format!("idempotency.decisions idempotency.operation=pay idempotency.decision={decision}");
    assert_eq!(counted, [(name("claimed"), 1), (name("completed"), 1), (name("replayed"), 2)]);
}
