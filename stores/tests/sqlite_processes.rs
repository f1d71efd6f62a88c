//! Several processes on one file. The others are this test file started again; they do what they read on their
//! standard input and answer on their standard output.

#![cfg(feature = "sqlite")]

mod sqlite_process;
mod sqlite_support;

use std::collections::HashMap;
use std::env;
use std::io;
use std::thread;
use std::time::Duration;

use fastrand::Rng;
use idempotency_conformance::script::{BOB, LEASE, SKEW, START};
use idempotency_runtime::{Claim, OwnerToken, Status, Store, StoreError, StoreErrorKind, Timestamp, Written};
use idempotency_stores::SqliteStore;

use crate::sqlite_process::{FILE, Process};
use crate::sqlite_support::{Place, acquire, claim_by, finish, numbered, try_acquire};

/// The seed of a test: a new one, or that of `IDEMPOTENCY_CONFORMANCE_SEED`. Failed tests show it.
fn seeded() -> Rng {
    let seed = variable("IDEMPOTENCY_CONFORMANCE_SEED").unwrap_or_else(|| fastrand::u64(..));
    eprintln!("replay with IDEMPOTENCY_CONFORMANCE_SEED={seed}");
    Rng::with_seed(seed)
}

/// `usual` times the factor in `IDEMPOTENCY_CONFORMANCE_ROUNDS`.
fn rounds(usual: u64) -> u64 {
    usual * variable("IDEMPOTENCY_CONFORMANCE_ROUNDS").unwrap_or(1)
}

fn variable(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap())
}

/// The other process of the tests in this file; does nothing where nobody has started it as such.
#[tokio::test]
async fn other_process() {
    let Ok(path) = env::var(FILE) else {
        return;
    };
    println!();
    let mut store = None;
    for line in io::stdin().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<u64>().unwrap();
        match words[0] {
            "hello" => println!("> hello"),
            // The records of these tests are long forgotten by the system's clock.
            "open" => match SqliteStore::builder(&path).purge_every(None).open().await {
                Ok(opened) => {
                    store = Some(opened);
                    println!("> opened");
                }
                Err(error) => println!("> {:?}: {error}", error.kind()),
            },
            "claim" => {
                let claims = Claims { from: number(1), count: number(2), at: number(3), owner: number(4) };
                claims.make(store.as_ref().unwrap(), number(5)).await;
            }
            "crowd" => {
                println!("> {}", crowd(store.as_ref().unwrap(), number(1), number(2), number(3)).await);
            }
            "work" => work(store.as_ref().unwrap(), number(1), number(2)).await,
            other => panic!("{other}"),
        }
    }
}

fn owner(number: u64) -> OwnerToken {
    OwnerToken::from_bytes(u128::from(number).to_be_bytes())
}

fn key_number(number: u64) -> usize {
    usize::try_from(number).unwrap()
}

/// Claims of many keys, as one word each.
struct Claims {
    from: u64,
    count: u64,
    at: u64,
    owner: u64,
}

impl Claims {
    /// Makes them in a random order.
    async fn make(self, store: &SqliteStore, seed: u64) {
        let mut keys: Vec<_> = (self.from..self.from + self.count).collect();
        Rng::with_seed(seed).shuffle(&mut keys);
        for key in keys {
            let mut claim = claim_by(&numbered(key_number(key)), owner(self.owner));
            claim.now = Timestamp::from_millis(self.at);
            claim.lease_until = claim.now.plus(LEASE);
            match store.claim(claim).await {
                Ok(Claim::Acquired { epoch, .. }) => println!("> {key} acquired {epoch}"),
                Ok(Claim::InProgress { .. }) => println!("> {key} in_progress"),
                other => println!("> {key} {other:?}"),
            }
        }
    }
}

/// Claims and finishes keys of its own until it is killed, and says what was acknowledged.
async fn work(store: &SqliteStore, from: u64, seed: u64) {
    let mut random = Rng::with_seed(seed);
    for key in from.. {
        let held = acquire(store, claim_by(&numbered(key_number(key)), owner(key))).await;
        println!("> claimed {key} {}", held.epoch);
        if random.bool() {
            assert!(matches!(store.write(held.complete(START)).await.unwrap(), Written::Applied { .. }));
            println!("> completed {key} {}", held.epoch);
        }
    }
}

/// Many callers at once, each with operations of its own and now and then a transaction; what went wrong.
async fn crowd(store: &SqliteStore, from: u64, callers: u64, calls: u64) -> String {
    let callers = (0..callers).map(|caller| {
        let store = store.clone();
        tokio::spawn(async move {
            for call in 0..calls {
                let number = from + caller * calls + call;
                let held =
                    try_acquire(&store, claim_by(&numbered(key_number(number)), owner(number))).await?;
                let _ = store.write(held.complete(START)).await?;
                if call % 8 == 0 {
                    let transaction = store.transaction(async |tx| {
                        tx.run(move |db| db.execute("INSERT INTO orders VALUES (?1)", [number.cast_signed()]))
                            .await
                    });
                    transaction
                        .await
                        .map_err(|error| StoreError::new(StoreErrorKind::Other, error.to_string()))?;
                }
            }
            Ok::<_, StoreError>(())
        })
    });
    let mut wrong = Vec::new();
    for caller in callers.collect::<Vec<_>>() {
        if let Err(error) = caller.await.unwrap() {
            wrong.push(format!("{:?}: {error}", error.kind()));
        }
    }
    format!("wrong: {wrong:?}")
}

/// Lets every process claim the same keys at the same time; the epoch of each key's only owner.
fn race(
    processes: &mut [Process],
    random: &mut Rng,
    from: u64,
    count: u64,
    at: Timestamp,
) -> HashMap<u64, u64> {
    let wave = random.u64(1 << 32..);
    for (number, process) in processes.iter_mut().enumerate() {
        let (owner, seed) = (wave.wrapping_add(number as u64), random.u32(..));
        process.tell(format_args!("claim {from} {count} {} {owner} {seed}", at.as_millis()));
    }
    let mut epochs = HashMap::new();
    for process in processes {
        for _ in 0..count {
            let answer = process.hear().unwrap();
            let (key, told) = answer.split_once(' ').unwrap();
            let key = key.parse().unwrap();
            if let Some(epoch) = told.strip_prefix("acquired ") {
                let earlier = epochs.insert(key, epoch.parse().unwrap());
                assert_eq!(earlier, None, "key {key} has two owners");
            } else {
                assert_eq!(told, "in_progress", "key {key}");
            }
        }
    }
    assert_eq!(epochs.len() as u64, count, "a key has no owner");
    epochs
}

#[test]
fn processes_that_race_for_new_keys_and_dead_leases_have_one_owner_per_epoch() {
    let mut random = seeded();
    let place = Place::new();
    let mut processes = Process::start_many(4, &place.file());
    for process in &mut processes {
        process.tell("open");
    }
    for process in &mut processes {
        assert_eq!(process.hear().as_deref(), Some("opened"));
    }
    for round in 0..rounds(4) {
        let (from, count) = (round * 1_000, random.u64(1..=25));
        let mut now = START;
        let mut epochs = race(&mut processes, &mut random, from, count, now);
        for _takeover in 0..2 {
            now = now.plus(LEASE + SKEW);
            let next = race(&mut processes, &mut random, from, count, now);
            for (key, epoch) in &next {
                assert_eq!(*epoch, epochs[key] + 1, "key {key}");
            }
            epochs = next;
        }
    }
}

#[test]
fn no_caller_of_many_in_several_processes_meets_a_lock() {
    const PROCESSES: u64 = 4;
    const CALLERS: u64 = 16;
    let calls = rounds(24);
    let place = Place::new();
    place.connect().execute_batch("CREATE TABLE orders (number INTEGER NOT NULL)").unwrap();
    let mut processes = Process::start_many(usize::try_from(PROCESSES).unwrap(), &place.file());
    for process in &mut processes {
        process.tell("open");
        assert_eq!(process.hear().as_deref(), Some("opened"));
    }
    // A tool that looks at the file all the time.
    let reader = place.connect();
    reader.execute_batch("BEGIN; SELECT count(*) FROM idempotency_records").unwrap();
    for (number, process) in (0_u64..).zip(&mut processes) {
        process.tell(format_args!("crowd {} {CALLERS} {calls}", number * CALLERS * calls));
    }
    for process in &mut processes {
        assert_eq!(process.hear().as_deref(), Some("wrong: []"));
    }
    reader.execute_batch("COMMIT").unwrap();
    let count = |sql| place.connect().query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap().cast_unsigned();
    let all = PROCESSES * CALLERS * calls;
    assert_eq!(count("SELECT count(*) FROM idempotency_records WHERE status = 'completed'"), all);
    assert_eq!(count("SELECT count(*) FROM orders"), PROCESSES * CALLERS * calls.div_ceil(8));
}

#[test]
fn processes_that_open_a_missing_file_together_all_open_it() {
    for _ in 0..rounds(5) {
        let place = Place::new();
        let mut processes = Process::start_many(4, &place.file());
        for process in &mut processes {
            process.tell("open");
        }
        for process in &mut processes {
            assert_eq!(process.hear().as_deref(), Some("opened"));
        }
        race(&mut processes, &mut Rng::with_seed(1), 0, 3, START);
    }
}

#[tokio::test]
async fn a_killed_process_leaves_a_usable_file_with_all_that_was_acknowledged() {
    let mut random = seeded();
    let place = Place::new();
    let survivor = place.open().await;
    for round in 0..rounds(10) {
        let mut process = Process::start_many(1, &place.file()).remove(0);
        process.tell("open");
        process.tell(format_args!("work {} {}", (round + 1) * 1_000_000, random.u32(..)));
        let mut acknowledged: Vec<_> = (0..random.usize(1..40))
            .map(|_| process.hear().unwrap())
            .filter(|line| line != "opened")
            .collect();
        acknowledged.extend(process.kill());
        for line in &acknowledged {
            assert_kept(&survivor, line).await;
        }
        // The key it was working on when it died, and a new one.
        let last =
            acknowledged.last().and_then(|line| line.split(' ').nth(1)).map_or(0, |key| key.parse().unwrap());
        for key in [last, last + 1] {
            let mut claim = claim_by(&numbered(key), BOB);
            claim.now = START.plus(LEASE + SKEW);
            let answer = survivor.claim(claim).await.unwrap();
            assert!(matches!(answer, Claim::Acquired { .. } | Claim::Final(_)), "{answer:?}");
        }
        assert_sound(&place);
    }
}

/// Checks one line of a process that was killed.
async fn assert_kept(store: &SqliteStore, line: &str) {
    let mut words = line.split(' ');
    let (told, key) = (words.next().unwrap(), words.next().unwrap().parse().unwrap());
    let record = store.inspect(&numbered(key)).await.unwrap();
    let record = record.unwrap_or_else(|| panic!("{line}: there is no record"));
    assert_eq!(record.epoch.to_string(), words.next().unwrap(), "{line}");
    if told == "completed" {
        assert_eq!(record.status, Status::Completed, "{line}");
    }
}

fn assert_sound(place: &Place) {
    let found: String = place.connect().query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(found, "ok");
}

#[tokio::test]
async fn a_process_killed_while_it_opens_a_new_file_leaves_one_that_opens() {
    let mut random = seeded();
    for _ in 0..rounds(10) {
        let place = Place::new();
        let mut process = Process::start_many(1, &place.file()).remove(0);
        process.tell("open");
        thread::sleep(Duration::from_micros(random.u64(0..4_000)));
        process.kill();
        finish(&place.open().await, &numbered(1)).await;
        assert_sound(&place);
    }
}
