//! The executor when the store, the process or the clock misbehaves.

mod clocks;
mod crash;
mod crowd;
mod delivery;
mod detached;
mod faulty;
mod finish;
mod lease;
mod lost_answers;
mod nth;
mod observing;
mod outcomes;
mod table;
mod unknown;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use idempotency::{AnyStore, Error, ErrorKind, IdempotencyKey, ManualClock, Operation, Timestamp, operation};

use crate::faulty::Faulty;

const LEASE: Duration = Duration::from_secs(30);
const START: Timestamp = Timestamp::from_millis(1_782_639_000_000);

/// A faulty store, a clock that stands still, and a ledger of effects.
struct World {
    faulty: Faulty,
    store: AnyStore,
    clock: ManualClock,
    effects: Arc<AtomicU32>,
}

impl World {
    fn new() -> Self {
        let clock = ManualClock::at(START);
        let faulty = Faulty::default();
        let store = AnyStore::new(faulty.clone()).with_clock(clock.clone());
        Self { faulty, store, clock, effects: Arc::default() }
    }

    fn operation(&self) -> Operation {
        operation("pay").part("order", "A-1").ttl(Duration::from_secs(600)).lease(LEASE).store(&self.store)
    }

    /// The same records and time in another process.
    fn elsewhere(&self) -> AnyStore {
        AnyStore::new(self.faulty.elsewhere()).with_clock(self.clock.clone())
    }

    /// The body: one effect, and its number as the value.
    async fn effect(&self) -> Result<u32, Error> {
        std::future::ready(Ok(self.effects.fetch_add(1, Ordering::SeqCst) + 1)).await
    }

    async fn pay(&self) -> Result<u32, Error> {
        self.operation().run(self.effect()).await
    }

    fn effects(&self) -> u32 {
        self.effects.load(Ordering::SeqCst)
    }

    /// Lets `task` go on until it sleeps on the clock or ends.
    async fn settle<T>(&self, task: &tokio::task::JoinHandle<T>) {
        while self.clock.sleepers() == 0 && !task.is_finished() {
            tokio::task::yield_now().await;
        }
    }
}

fn key() -> IdempotencyKey {
    IdempotencyKey::from_stored("pay:A-1")
}

fn kind<T: std::fmt::Debug>(result: Result<T, Error>) -> ErrorKind {
    result.expect_err("an error").kind()
}
