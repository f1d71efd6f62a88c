//! Failures that end the transaction of all, and such that come before the lock is held.

use std::env;
use std::process::Command;

use idempotency_runtime::StoreErrorKind as Kind;
use rusqlite::limits::Limit;

use super::*;

/// Where this is set, the process may be left without memory.
const WITHOUT_MEMORY: &str = "IDEMPOTENCY_TEST_WITHOUT_MEMORY";

fn claim_request(number: u32, owner: u8) -> ClaimRequest {
    ClaimRequest::new(key(number), OwnerToken::from_bytes([owner; 16]), now(), now().plus(TTL), TTL)
}

/// SQLite's limit is one of the process, and is never raised again: the test runs in a process of its own.
#[test]
fn a_read_that_ends_the_transaction_leaves_nobody_with_a_key_of_another_process() {
    if env::var_os(WITHOUT_MEMORY).is_some() {
        return read_without_memory();
    }
    let name = "sqlite::group::tests::failures::\
        a_read_that_ends_the_transaction_leaves_nobody_with_a_key_of_another_process";
    let mut other = Command::new(env::current_exe().unwrap());
    let ended = other.args(["--exact", name, "--nocapture"]).env(WITHOUT_MEMORY, "1").output().unwrap();
    let said = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && said.contains("1 passed"), "{said}");
}

fn read_without_memory() {
    let mut world = World::new();
    let epochs = world.granted(1..2);
    let done = world.complete(1, epochs[0], 20_000_000);
    assert!(world.serve().is_empty());
    assert_eq!(written(done), Ok(true));
    let mut second = Database::open(&SqliteStore::builder(&world.path), Arc::default(), None).unwrap();
    world.other().execute_batch("PRAGMA hard_heap_limit = 12000000").unwrap();
    let requests = [claim_request(0, 2), claim_request(1, 2), claim_request(2, 2)];
    let calls: Vec<_> = requests.iter().map(Call::Claim).collect();
    // Another process takes the first key while the reads go on, if anybody is told then.
    let mut is_taken = false;
    let together = world.database.together(&calls, |_, _| {
        is_taken = matches!(second.claim(&claim_request(0, 3)), Ok(Claim::Acquired { .. }));
    });
    assert!(matches!(together, Together::Alone), "the transaction of all had ended");
    // Then each alone.
    let [first, mut unreadable, third] = [0, 1, 2].map(|number| world.claim(number, 2));
    assert!(world.serve().is_empty());
    assert_eq!(unreadable.try_recv().unwrap().unwrap_err().kind(), Kind::Other);
    assert_ne!(epoch(first).is_some(), is_taken, "the key has two owners, or none");
    assert!(epoch(third).is_some());
}

#[test]
fn a_record_too_big_fails_its_own_call_only() {
    let mut world = World::new();
    let epochs = world.granted(0..3);
    world.database.connection().set_limit(Limit::SQLITE_LIMIT_LENGTH, 10_000).unwrap();
    let answers: Vec<_> = (0..3)
        .zip(epochs)
        .map(|(number, epoch)| world.complete(number, epoch, if number == 0 { 20_000 } else { 40 }))
        .collect();
    assert!(world.serve().is_empty());
    let expected = [Err(Kind::TooLarge), Ok(true), Ok(true)];
    assert_eq!(answers.into_iter().map(written).collect::<Vec<_>>(), expected);
}

#[test]
fn behind_a_record_too_big_calls_wait_for_the_lock_like_any_other() {
    let mut world = World::new();
    let epochs = world.granted(0..3);
    world.database.connection().set_limit(Limit::SQLITE_LIMIT_LENGTH, 10_000).unwrap();
    let other = world.other();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    // It fails before SQLite has looked at the lock.
    let too_big = world.complete(0, epochs[0], 20_000);
    let mut others = [1, 2].map(|number| world.complete(number, epochs[number as usize], 40));
    let waiting = world.serve();
    assert_eq!(waiting.len(), 3);
    assert!(others.iter_mut().all(|answer| matches!(answer.try_recv(), Err(TryRecvError::Empty))));
    other.execute_batch("COMMIT").unwrap();
    for job in waiting {
        assert!(world.group.take(job).is_none());
    }
    assert!(world.serve().is_empty());
    assert_eq!(written(too_big), Err(Kind::TooLarge));
    assert_eq!(others.map(written), [Ok(true), Ok(true)]);
}

#[test]
fn behind_a_record_too_big_a_group_that_read_before_another_wrote_decides_again() {
    let mut world = World::new();
    let epochs = world.granted(0..1);
    world.granted(1..2);
    world.database.connection().set_limit(Limit::SQLITE_LIMIT_LENGTH, 10_000).unwrap();
    let mut second = Database::open(&SqliteStore::builder(&world.path), Arc::default(), None).unwrap();
    let value = RecordedValue::new(1, Some(vec![7; 20_000].into()));
    let owner = OwnerToken::from_bytes([1; 16]);
    let too_big = OwnerWrite::new(key(0), owner, epochs[0], now(), TTL, Change::Complete(value));
    let (in_progress, free, taken) = (claim_request(1, 2), claim_request(2, 2), claim_request(3, 2));
    let calls = [Call::Claim(&in_progress), Call::Write(&too_big), Call::Claim(&free), Call::Claim(&taken)];
    let together = world.database.together(&calls, |_, _| {
        assert!(matches!(second.claim(&claim_request(3, 3)), Ok(Claim::Acquired { .. })));
    });
    let Together::Done(answers) = together else { panic!("it was not done") };
    let told: Vec<_> = answers
        .into_iter()
        .map(|(number, answer)| match answer {
            Ok(Answer::Claim(Claim::Acquired { .. })) => (number, Ok(true)),
            Ok(_) => (number, Ok(false)),
            Err(error) => (number, Err(error.kind())),
        })
        .collect();
    assert_eq!(told, [(1, Err(Kind::TooLarge)), (2, Ok(true)), (3, Ok(false))]);
}
