//! Calls that share a transaction.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use idempotency_runtime::{
    Change, Epoch, IdempotencyKey, OwnerToken, RecordedValue, StoreErrorKind as Kind, Timestamp,
};
use rusqlite::Connection;
use tokio::sync::oneshot::{self, Receiver, error::TryRecvError};

mod failures;

use super::*;
use crate::sqlite::line::Line;
use crate::{SqliteStore, SqliteStoreBuilder};

const TTL: Duration = Duration::from_secs(600);

struct World {
    database: Database,
    path: PathBuf,
    group: Group,
    _directory: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        Self::with(|builder| builder)
    }

    fn with(settings: impl FnOnce(SqliteStoreBuilder) -> SqliteStoreBuilder) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("records.db");
        let database = Database::open(&settings(SqliteStore::builder(&path)), Arc::default(), None).unwrap();
        Self { database, path, group: Group::default(), _directory: directory }
    }

    fn serve(&mut self) -> Vec<Queued> {
        std::mem::take(&mut self.group).serve(&mut self.database)
    }

    fn claim(&mut self, number: u32, owner: u8) -> Receiver<Result<Claim, StoreError>> {
        let (job, answer) = claim(number, owner);
        assert!(self.group.take(job).is_none());
        answer
    }

    fn complete(&mut self, number: u32, epoch: Epoch, bytes: usize) -> Receiver<Result<Written, StoreError>> {
        let value = RecordedValue::new(1, Some(vec![7; bytes].into()));
        let owner = OwnerToken::from_bytes([1; 16]);
        let request = OwnerWrite::new(key(number), owner, epoch, now(), TTL, Change::Complete(value));
        let (reply, answer) = oneshot::channel();
        assert!(self.group.take(queued(Job::Write { request, reply })).is_none());
        answer
    }

    /// Grants keys to owner 1.
    fn granted(&mut self, numbers: std::ops::Range<u32>) -> Vec<Epoch> {
        let answers: Vec<_> = numbers.map(|number| self.claim(number, 1)).collect();
        assert!(self.serve().is_empty());
        answers.into_iter().map(|answer| epoch(answer).expect("the key was free")).collect()
    }

    fn other(&self) -> Connection {
        Connection::open(&self.path).unwrap()
    }

    fn count(&self, status: &str) -> i64 {
        let count = "SELECT count(*) FROM idempotency_records WHERE status = ?1";
        self.other().query_row(count, [status], |row| row.get(0)).unwrap()
    }

    /// How many transactions the write-ahead log holds: the frame that ends one says how large the file is then.
    fn commits(&self) -> usize {
        let log = std::fs::read(self.path.with_extension("db-wal")).unwrap();
        log[32..].chunks(24 + 4096).filter(|frame| frame[4..8] != [0; 4]).count()
    }
}

fn key(number: u32) -> IdempotencyKey {
    IdempotencyKey::from_stored(&format!("go:{number}"))
}

fn now() -> Timestamp {
    Timestamp::from_millis(1_000_000)
}

fn queued(job: Job) -> Queued {
    Queued { job, since: Instant::now() }
}

fn claim(number: u32, owner: u8) -> (Queued, Receiver<Result<Claim, StoreError>>) {
    let owner = OwnerToken::from_bytes([owner; 16]);
    let request = ClaimRequest::new(key(number), owner, now(), now().plus(TTL), TTL);
    let (reply, answer) = oneshot::channel();
    (queued(Job::Claim { request, reply }), answer)
}

fn epoch(mut answer: Receiver<Result<Claim, StoreError>>) -> Option<Epoch> {
    match answer.try_recv().unwrap().unwrap() {
        Claim::Acquired { epoch, .. } => Some(epoch),
        _ => None,
    }
}

fn written(mut answer: Receiver<Result<Written, StoreError>>) -> Result<bool, Kind> {
    let answer = answer.try_recv().unwrap();
    answer.map(|written| matches!(written, Written::Applied { .. })).map_err(|error| error.kind())
}

#[test]
fn calls_that_come_together_share_one_transaction() {
    let mut world = World::new();
    let before = world.commits();
    let epochs = world.granted(0..50);
    assert_eq!((world.commits() - before, world.count("in_progress")), (1, 50));
    let answers: Vec<_> =
        (0..50).zip(epochs).map(|(number, epoch)| world.complete(number, epoch, 40)).collect();
    assert!(world.serve().is_empty());
    assert_eq!(world.commits() - before, 2);
    assert!(answers.into_iter().all(|answer| written(answer) == Ok(true)));
    assert_eq!(world.count("completed"), 50);
}

#[test]
fn of_two_claims_of_one_key_the_first_is_granted() {
    let mut world = World::new();
    let answers = [1, 2, 3].map(|owner| world.claim(7, owner));
    assert!(world.serve().is_empty());
    assert_eq!(answers.map(|answer| epoch(answer).is_some()), [true, false, false]);
}

#[test]
fn a_write_behind_the_claim_that_it_follows_is_decided_behind_it() {
    let mut world = World::new();
    let first = world.granted(0..1)[0];
    // Its caller has stopped waiting for the answer, and gives the key back.
    let claimed = world.claim(7, 1);
    let completed = world.complete(7, first, 40);
    assert!(world.serve().is_empty());
    assert_eq!(epoch(claimed), Some(first));
    assert_eq!(written(completed), Ok(true));
    assert_eq!(world.count("completed"), 1);
}

#[test]
fn a_claim_behind_the_completion_of_its_key_does_not_run_it_again() {
    let mut world = World::new();
    let epoch_of_first = world.granted(0..1)[0];
    let done = world.complete(0, epoch_of_first, 40);
    let claims = [2, 3].map(|owner| world.claim(0, owner));
    assert!(world.serve().is_empty());
    assert_eq!(written(done), Ok(true));
    assert!(claims.into_iter().all(|answer| epoch(answer).is_none()));
}

#[test]
fn a_record_that_cannot_be_read_fails_its_own_call_only() {
    let mut world = World::new();
    world.granted(3..4);
    world.other().execute("UPDATE idempotency_records SET owner = x'00'", []).unwrap();
    let mut answers: Vec<_> = (0..6).map(|number| world.claim(number, 2)).collect();
    assert!(world.serve().is_empty());
    let unreadable = answers.remove(3).try_recv().unwrap().unwrap_err();
    assert_eq!(unreadable.kind(), Kind::Corrupt);
    assert!(answers.into_iter().all(|answer| epoch(answer).is_some()));
}

#[test]
fn a_value_without_room_fails_its_own_call_only() {
    let mut world = World::with(|builder| builder.max_file_bytes(40 * 4096));
    let epochs = world.granted(0..6);
    let answers: Vec<_> = (0..6)
        .zip(epochs)
        .map(|(number, epoch)| world.complete(number, epoch, if number == 2 { 1_000_000 } else { 40 }))
        .collect();
    assert!(world.serve().is_empty());
    let expected = [Ok(true), Ok(true), Err(Kind::Full), Ok(true), Ok(true), Ok(true)];
    assert_eq!(answers.into_iter().map(written).collect::<Vec<_>>(), expected);
    assert_eq!((world.count("completed"), world.count("in_progress")), (5, 1));
}

#[test]
fn while_another_connection_holds_the_lock_reads_are_answered_and_writes_wait() {
    let mut world = World::new();
    world.granted(0..1);
    let other = world.other();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (read, mut write) = (world.claim(0, 2), world.claim(1, 2));
    let mut waiting = world.serve();
    assert_eq!((epoch(read), waiting.len()), (None, 1));
    assert!(matches!(write.try_recv(), Err(TryRecvError::Empty)));
    other.execute_batch("COMMIT").unwrap();
    waiting.drain(..).for_each(|job| assert!(world.group.take(job).is_none()));
    assert!(world.serve().is_empty());
    assert!(epoch(write).is_some());
}

#[test]
fn who_has_waited_for_too_long_is_told_and_nothing_is_written() {
    let mut world = World::with(|builder| builder.busy_timeout(Duration::ZERO));
    let other = world.other();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut answers = [1, 2].map(|number| world.claim(number, 1));
    assert!(world.serve().is_empty());
    for answer in &mut answers {
        assert_eq!(answer.try_recv().unwrap().unwrap_err().kind(), Kind::Busy);
    }
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(world.count("in_progress"), 0);
}

#[test]
fn a_group_that_read_before_another_connection_wrote_decides_again() {
    let mut world = World::new();
    world.granted(0..1);
    let requests: Vec<_> = [0, 1, 2]
        .map(|number| {
            let owner = OwnerToken::from_bytes([2; 16]);
            ClaimRequest::new(key(number), owner, now(), now().plus(TTL), TTL)
        })
        .into();
    let calls: Vec<_> = requests.iter().map(Call::Claim).collect();
    // Told about the first, which writes nothing, after all have been read: another process claims the second.
    let mut second = Database::open(&SqliteStore::builder(&world.path), Arc::default(), None).unwrap();
    let mut told = Vec::new();
    let together = world.database.together(&calls[..], |number, _| {
        told.push(number);
        if number == 0 {
            let owner = OwnerToken::from_bytes([3; 16]);
            let claim = ClaimRequest::new(key(1), owner, now(), now().plus(TTL), TTL);
            assert!(matches!(second.claim(&claim), Ok(Claim::Acquired { .. })));
        }
    });
    let Together::Done(answers) = together else { panic!("it was not done") };
    let granted: Vec<_> = answers
        .iter()
        .map(|(number, answer)| (*number, matches!(answer, Ok(Answer::Claim(Claim::Acquired { .. })))))
        .collect();
    assert_eq!((told, granted), (vec![0], vec![(1, false), (2, true)]));
}

#[test]
fn a_claim_whose_caller_is_gone_is_not_made_and_a_write_is() {
    let mut world = World::new();
    let epochs = world.granted(0..1);
    drop(world.complete(0, epochs[0], 40));
    let (job, answer) = claim(1, 1);
    drop(answer);
    assert!(world.group.take(job).is_none());
    assert!(world.serve().is_empty());
    assert_eq!((world.count("completed"), world.count("in_progress")), (1, 0));
}

#[test]
fn what_has_come_meanwhile_is_served_together_up_to_a_bound() {
    let mut world = World::new();
    let before = world.commits();
    let (jobs, queue) = channel();
    let answers: Vec<_> = (0..300)
        .map(|number| {
            let (job, answer) = claim(number, 1);
            jobs.send(job).unwrap();
            answer
        })
        .collect();
    drop(jobs);
    let mut line = Line::default();
    while let Some(job) = line.next(&queue, &mut world.database) {
        line.serve(job, &queue, &mut world.database);
    }
    assert!(answers.into_iter().all(|answer| epoch(answer).is_some()));
    assert_eq!(world.commits() - before, 2, "{LARGEST} and the rest");
}
