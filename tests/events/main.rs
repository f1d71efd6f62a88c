//! One event for every decision, told to the observer of the handle.
#![cfg(feature = "memory")]

#[allow(dead_code, reason = "shared with the tests of faults, which use all of it")]
#[path = "../faults/faulty.rs"]
mod faulty;
mod observer;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use idempotency::{
    AnyStore, CallEvent, Decision, Error, ManualClock, Observer, Operation, Timestamp, operation,
};

use crate::faulty::Faulty;

const LEASE: Duration = Duration::from_secs(30);
const TTL: Duration = Duration::from_secs(600);

/// What the observer of a handle was told, as `operation key decision`.
#[derive(Clone, Debug, Default)]
struct Told(Arc<Mutex<Vec<String>>>);

impl Observer for Told {
    fn observe(&self, event: &CallEvent<'_>) {
        let key = event.key.map_or("-", AsRef::as_ref);
        self.0.lock().unwrap().push(format!("{} {key} {}", event.operation, event.decision.name()));
    }
}

impl Told {
    /// The decisions since the last time this was asked; all are about `pay` of order `A-1`.
    fn decisions(&self) -> Vec<String> {
        let told = std::mem::take(&mut *self.0.lock().unwrap());
        told.iter().map(|line| line.strip_prefix("pay pay:A-1 ").unwrap_or(line).to_owned()).collect()
    }
}

/// A faulty store, a clock that stands still, and an observer.
struct World {
    faulty: Faulty,
    store: AnyStore,
    clock: ManualClock,
    told: Told,
}

impl World {
    fn new() -> Self {
        let clock = ManualClock::at(Timestamp::from_millis(1_782_639_000_000));
        let (faulty, told) = (Faulty::default(), Told::default());
        let store = AnyStore::new(faulty.clone()).with_clock(clock.clone()).with_observer(told.clone());
        Self { faulty, store, clock, told }
    }

    fn pay(&self) -> Operation {
        operation("pay").part("order", "A-1").ttl(TTL).lease(LEASE).store(&self.store)
    }

    fn lease_is_over(&self) {
        self.clock.advance(LEASE + Duration::from_secs(2));
    }
}

#[test]
fn the_page_about_events_lists_every_decision() {
    let page = include_str!("../../docs/observability.md");
    let (_, table) = page.split_once("## Decisions").expect("the page has a table of decisions");
    let (table, _) = table.split_once("\n## ").expect("something follows the table");
    let documented: BTreeSet<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(name, _)| name))
        .collect();
    let told: BTreeSet<&str> = Decision::NAMES.iter().copied().collect();
    assert_eq!(documented, told);
}

/// It does not share itself, as `Told` does.
#[derive(Debug, Default)]
struct Count(AtomicU32);

impl Observer for Count {
    fn observe(&self, _: &CallEvent<'_>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn an_observer_may_be_shared_with_whoever_reads_it() {
    let count = Arc::new(Count::default());
    let world = World::new();
    let store = world.store.clone().with_observer(Arc::clone(&count));
    for _ in 0..2 {
        operation("pay")
            .part("order", "A-1")
            .ttl(TTL)
            .store(&store)
            .run(async { Ok::<_, Error>(1) })
            .await
            .unwrap();
    }
    assert_eq!(count.0.load(Ordering::Relaxed), 3, "claimed, completed, replayed");
}
