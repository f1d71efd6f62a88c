//! The machine loses power. What was waited for is on the disk; of the rest any part may be.
//!
//! A process that is killed loses nothing that was written, so the cut is made in a copy: the write-ahead log ends where
//! the last wait for the disk was, or somewhere behind it in the middle of a write. That SQLite waits at these points is
//! looked at in `sqlite_synced.rs`.

#![cfg(feature = "sqlite")]

mod sqlite_support;

use std::fs;

use fastrand::Rng;
use idempotency_conformance::script::START;
use idempotency_runtime::Store as _;
use idempotency_stores::{SqliteStore, Synchronous};

use crate::sqlite_support::{Place, finish, numbered};

/// Few enough for a log that is never begun anew.
const RECORDS: usize = 60;

/// A store at work: its files, and how long the log was when each outcome was acknowledged.
struct Running {
    place: Place,
    store: SqliteStore,
    acknowledged: Vec<usize>,
}

impl Running {
    async fn new(synchronous: Synchronous) -> Self {
        let place = Place::new();
        let store = SqliteStore::builder(place.file()).synchronous(synchronous).purge_every(None);
        let mut running = Self { store: store.open().await.unwrap(), place, acknowledged: Vec::new() };
        for number in 0..RECORDS {
            finish(&running.store, &numbered(number)).await;
            running.acknowledged.push(running.log().len());
        }
        running
    }

    fn log(&self) -> Vec<u8> {
        fs::read(self.place.directory().join("records.db-wal")).unwrap()
    }

    /// Which of the first records are there after a cut that leaves this much of the log.
    async fn survivors(&self, log: &[u8]) -> Vec<usize> {
        survivors(&fs::read(self.place.file()).unwrap(), log).await
    }
}

/// The same, for these contents of the file and of the log.
async fn survivors(file: &[u8], log: &[u8]) -> Vec<usize> {
    let after = Place::new();
    fs::write(after.file(), file).unwrap();
    fs::write(after.directory().join("records.db-wal"), log).unwrap();
    let store = SqliteStore::builder(after.file()).purge_every(None).open().await.unwrap();
    let mut survivors = Vec::new();
    for number in 0..RECORDS {
        let record = store.inspect(&numbered(number)).await.unwrap();
        if record.is_some_and(|record| record.completed_at == Some(START)) {
            survivors.push(number);
        }
    }
    assert_eq!(store.check_integrity().await.unwrap(), Vec::<String>::new());
    survivors
}

/// The records that were acknowledged and are gone.
fn lost(acknowledged: usize, survivors: &[usize]) -> Vec<usize> {
    (0..acknowledged).filter(|number| !survivors.contains(number)).collect()
}

fn seeded() -> Rng {
    let seed = std::env::var("IDEMPOTENCY_CONFORMANCE_SEED").ok().map(|text| text.parse().unwrap());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    eprintln!("replay with IDEMPOTENCY_CONFORMANCE_SEED={seed}");
    Rng::with_seed(seed)
}

fn rounds() -> usize {
    let factor = std::env::var("IDEMPOTENCY_CONFORMANCE_ROUNDS").ok();
    20 * factor.map_or(1, |text| text.parse::<usize>().unwrap())
}

#[tokio::test]
async fn at_full_a_power_cut_at_any_moment_loses_nothing_that_was_acknowledged() {
    let mut random = seeded();
    let running = Running::new(Synchronous::Full).await;
    let log = running.log();
    for _ in 0..rounds() {
        let acknowledged = random.usize(1..RECORDS);
        let synced = running.acknowledged[acknowledged - 1];
        // Of what was being written then, any part is there, and its end is torn.
        let written = random.usize(synced..=running.acknowledged[acknowledged]);
        let mut cut = log[..written].to_vec();
        if random.bool() {
            let torn = random.usize(synced..=written);
            cut[torn..].fill(0);
        }
        let survivors = running.survivors(&cut).await;
        assert_eq!(
            lost(acknowledged, &survivors),
            Vec::<usize>::new(),
            "{acknowledged} acknowledged, {written} bytes of the log"
        );
        assert!(survivors.len() <= acknowledged + 1, "what was never written is there: {survivors:?}");
    }
}

#[tokio::test]
async fn at_normal_a_power_cut_takes_what_was_written_since_the_last_checkpoint() {
    let running = Running::new(Synchronous::Normal).await;
    // Nobody has waited for the disk since the file was made.
    let survivors = running.survivors(&[]).await;
    assert_eq!(lost(RECORDS, &survivors).len(), RECORDS, "the check above would not have found a loss");
    running.place.connect().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let survivors = running.survivors(&[]).await;
    assert_eq!(lost(RECORDS, &survivors), Vec::<usize>::new());
}

/// The pages of a file that a checkpoint was writing: of each, the old or the new one, and some at the end not at all.
fn half_written(random: &mut Rng, before: &[u8], after: &[u8]) -> Vec<u8> {
    const PAGE: usize = 4096;
    let mut file = after.to_vec();
    for (number, page) in file.chunks_mut(PAGE).enumerate() {
        if random.bool() {
            match before.get(number * PAGE..(number + 1) * PAGE) {
                Some(old) => page.copy_from_slice(old),
                None => page.fill(0),
            }
        }
    }
    file.truncate(random.usize(before.len() / PAGE..=file.len() / PAGE) * PAGE);
    file
}

#[tokio::test]
async fn a_power_cut_in_the_middle_of_a_checkpoint_loses_nothing() {
    let mut random = seeded();
    let running = Running::new(Synchronous::Full).await;
    let (before, log) = (fs::read(running.place.file()).unwrap(), running.log());
    running.place.connect().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let after = fs::read(running.place.file()).unwrap();
    assert_ne!(before, after);
    for round in 0..rounds() {
        let file = half_written(&mut random, &before, &after);
        // SQLite begins the log anew only when the disk has all of the file.
        assert_eq!(lost(RECORDS, &survivors(&file, &log).await), Vec::<usize>::new(), "round {round}");
        assert_eq!(lost(RECORDS, &survivors(&after, &[]).await), Vec::<usize>::new(), "round {round}");
    }
}
