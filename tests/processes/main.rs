//! Several processes on one SQLite file, killed, stopped past their leases and continued at random, and a checker of
//! what they have said and done; and processes that kill themselves at every point of a call.
//!
//! `IDEMPOTENCY_PROCESSES_SECONDS` says for how long (4 by default), `IDEMPOTENCY_PROCESSES_SEED` which random numbers;
//! the seed of a run is printed. The times at which processes are hit are real, so a seed repeats the choices, not the
//! moments.
#![cfg(all(unix, feature = "sqlite"))]

mod checker;
mod control;
mod points;
mod worker;

use std::time::Duration;

use idempotency::store::SqliteStore;
use idempotency::{AnyStore, Error, Operation, operation};

/// Short, so that a stopped process loses its lease soon.
const LEASE: Duration = Duration::from_millis(400);
const SKEW: Duration = Duration::from_millis(100);
const TTL: Duration = Duration::from_secs(3_600);

/// All callers are at the same few keys, which change with time: every key is new to all of them at once.
const NEW_KEY_EVERY: Duration = Duration::from_millis(15);
const KEYS_AT_ONCE: u32 = 5;

/// What a key's operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// After a crash it runs again.
    Plain,
    /// It announces its effect: after a crash in the middle nobody knows.
    Announced,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Plain, Self::Announced];

    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Announced => "announced",
        }
    }
}

async fn open(path: &str) -> Result<AnyStore, Error> {
    let store = SqliteStore::open(path).await.expect("the file can be opened");
    Ok(AnyStore::new(store).with_skew_budget(SKEW))
}

fn call(store: &AnyStore, kind: Kind, number: u32) -> Operation {
    // One place in the source for each name, as the registry of operations wants it.
    match kind {
        Kind::Plain => operation("plain").part("number", &number),
        Kind::Announced => operation("announced").part("number", &number),
    }
    .ttl(TTL)
    .lease(LEASE)
    .store(store)
}

#[test]
fn no_answer_is_lost_or_changed_and_no_announced_effect_happens_twice() {
    control::run();
}

/// The other processes run this test with the file's path in the environment; without it there is nothing to do.
#[test]
fn a_worker_of_the_test_above() {
    if let Some(task) = worker::Task::from_env() {
        worker::run(&task);
    }
}

#[test]
fn a_process_that_dies_at_any_point_of_a_call_leaves_what_the_next_call_can_go_on_from() {
    points::run();
}

/// The other processes of the test above.
#[test]
fn a_process_that_kills_itself() {
    points::die();
}
