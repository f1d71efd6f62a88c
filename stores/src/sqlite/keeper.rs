//! What is done in the background: checkpoints of the write-ahead log, and purging.
//!
//! SQLite would make a checkpoint in the commit that finds the log too long, and its caller would wait for the whole
//! database to be written. This thread does it beside the writer; only when the log still grows, because the writer
//! never pauses, does the writer stand back for the rest of one.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use idempotency_runtime::{StoreError, StoreErrorKind, Timestamp};
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::error::from_sqlite;
use super::turns::Turns;
use super::writer::Job;
use super::{Shared, SqliteStoreBuilder, schema, told};

/// From this many pages on, the writer stands back until the log can begin anew.
const RESTART_FROM: u32 = 4_000;

/// How often a log is tried to be begun anew while the writer stands back, and the pauses between. A try never waits:
/// waiting for readers it would hold the write lock.
const RESTARTS: u32 = 20;
const RESTART_PAUSE: Duration = Duration::from_micros(500);

/// The pause after a checkpoint that could not do all of it, because a reader holds on to what was there before. It
/// grows as long as that goes on.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// How many records a purge removes in one transaction, and how many times as long as that has taken it leaves the writer
/// alone. While it does not come to an end, because more is forgotten than it removes, it takes more with every minute:
/// otherwise the file would grow for ever.
fn pace(running: Duration) -> (usize, u32) {
    match running.as_secs() / 60 {
        0 => (30, 12),
        1 => (60, 6),
        2 => (120, 3),
        _ => (240, 1),
    }
}

/// An interval of zero would keep a core busy.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(1);

/// Tells the keeper that the log has grown.
#[derive(Clone, Debug)]
pub(super) struct Bell(SyncSender<()>);

impl Bell {
    pub(super) fn new() -> (Self, Receiver<()>) {
        let (bell, rings) = sync_channel(1);
        (Self(bell), rings)
    }

    /// The log has grown. Rung while the keeper is busy, it is heard afterwards.
    pub(super) fn ring(&self) {
        match self.0.try_send(()) {
            Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
        }
    }
}

struct Keeper {
    settings: SqliteStoreBuilder,
    turns: Arc<Turns>,
    /// Opened by the first checkpoint.
    connection: Option<Connection>,
    store: Weak<Shared>,
    rings: Receiver<()>,
    /// A reader was in the way.
    not_before: Option<Instant>,
    pause: Duration,
}

/// Starts the thread. It ends when the connections that ring are closed.
pub(super) fn start(
    settings: SqliteStoreBuilder,
    turns: Arc<Turns>,
    store: Weak<Shared>,
    rings: Receiver<()>,
) -> Result<(), StoreError> {
    let shown = settings.path.display().to_string();
    let keeper =
        Keeper { settings, turns, connection: None, store, rings, not_before: None, pause: SHORTEST_PAUSE };
    let started = thread::Builder::new().name("idempotency-keeper".to_owned()).spawn(move || keeper.work());
    started.map(drop).map_err(|cause| {
        let message = format!("the thread that keeps the SQLite file `{shown}` could not be started");
        StoreError::new(StoreErrorKind::Unavailable, message).with_source(cause)
    })
}

impl Keeper {
    fn work(mut self) {
        let mut purge_at = self.next_purge();
        loop {
            let ring = match purge_at {
                Some(at) => self.rings.recv_timeout(at.saturating_duration_since(Instant::now())),
                None => self.rings.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match ring {
                Ok(()) => self.checkpoint(),
                Err(RecvTimeoutError::Timeout) => {
                    self.purge();
                    purge_at = self.next_purge();
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Between half of the interval and all of it, so that many processes do not come together.
    fn next_purge(&self) -> Option<Instant> {
        let interval = self.settings.purge_every?.max(SHORTEST_INTERVAL);
        Instant::now().checked_add(interval.mul_f64(fastrand::f64().mul_add(0.5, 0.5)))
    }

    /// An error leaves the log as it is: the next commit rings again, and its own errors are the ones to be told.
    fn checkpoint(&mut self) {
        if self.not_before.is_some_and(|at| Instant::now() < at) {
            return;
        }
        let done = self.try_checkpoint().unwrap_or_else(|error| {
            told::failed(&self.shown(), "a checkpoint", &error);
            false
        });
        if done {
            self.pause = SHORTEST_PAUSE;
        } else {
            self.not_before = Some(Instant::now() + self.pause);
            self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Whether all of the log is in the database now.
    fn try_checkpoint(&mut self) -> Result<bool, StoreError> {
        let turns = self.turns.clone();
        let path = self.shown();
        let sqlite = |error| from_sqlite(&path, error);
        let connection = self.connection()?;
        let found = run_checkpoint(connection, "PASSIVE").map_err(sqlite)?;
        if found.pages < RESTART_FROM || !found.is_complete {
            return Ok(found.is_complete);
        }
        turns.set_checkpoint_waits(true);
        let restarted = restart(connection);
        turns.set_checkpoint_waits(false);
        restarted.map_err(sqlite)
    }

    fn connection(&mut self) -> Result<&Connection, StoreError> {
        match &mut self.connection {
            Some(connection) => Ok(connection),
            empty => Ok(empty.insert(schema::open(&self.settings)?.0)),
        }
    }

    /// Removes what is forgotten, a batch at a time, while there is more of it.
    fn purge(&mut self) {
        let started = Instant::now();
        let mut removed = 0;
        loop {
            let began = Instant::now();
            let (limit, rest) = pace(started.elapsed());
            match self.purge_batch(limit) {
                Ok(batch) => {
                    removed += batch;
                    if batch < limit {
                        break;
                    }
                }
                Err(error) => {
                    told::failed(&self.shown(), "a purge", &error);
                    break;
                }
            }
            if !self.rest(began.elapsed() * rest) {
                break;
            }
        }
        if removed > 0 {
            told::removed(&self.shown(), removed);
        }
    }

    /// Leaves the writer alone for so long; `false`: nobody has the store any more.
    fn rest(&mut self, span: Duration) -> bool {
        let until = Instant::now() + span;
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            match self.rings.recv_timeout(left) {
                Ok(()) => self.checkpoint(),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
        true
    }

    /// On the writer's thread, behind the calls that are waiting.
    fn purge_batch(&self, limit: usize) -> Result<usize, StoreError> {
        let Some(store) = self.store.upgrade() else {
            return Ok(0);
        };
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = Timestamp::from_millis(u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX));
        let (reply, answer) = oneshot::channel();
        let sent = store.writer.send(Job::Purge { now, limit, reply });
        drop(store);
        sent?;
        answer.blocking_recv().map_err(|_| StoreError::new(StoreErrorKind::Other, "the store is closed"))?
    }

    /// For messages.
    fn shown(&self) -> String {
        self.settings.path.display().to_string()
    }
}

/// Lets the next write begin the log anew; `false`: somebody reads from it.
fn restart(connection: &Connection) -> rusqlite::Result<bool> {
    for _ in 0..RESTARTS {
        if run_checkpoint(connection, "RESTART")?.is_complete {
            return Ok(true);
        }
        thread::sleep(RESTART_PAUSE);
    }
    Ok(false)
}

/// What a checkpoint has found.
struct Checkpoint {
    /// In the log.
    pages: u32,
    /// Whether all of them are in the database now, and nobody was in the way.
    is_complete: bool,
}

fn run_checkpoint(connection: &Connection, mode: &str) -> rusqlite::Result<Checkpoint> {
    connection.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |row| {
        let (busy, pages, written): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(Checkpoint {
            pages: u32::try_from(pages).unwrap_or(0),
            is_complete: busy == 0 && pages == written,
        })
    })
}

#[cfg(test)]
mod tests {
    use idempotency_runtime::{
        Change, Claim, ClaimRequest, IdempotencyKey, OwnerToken, OwnerWrite, RecordedValue, Written,
    };

    use super::super::store::Database;
    use super::*;
    use crate::SqliteStore;

    /// Claims so many keys and completes them with values of so many bytes; whether the bell was rung.
    fn rings_after(keys: u32, bytes: usize) -> bool {
        let directory = tempfile::tempdir().unwrap();
        let (bell, rings) = Bell::new();
        let settings = SqliteStore::builder(directory.path().join("records.db"));
        let mut database = Database::open(&settings, Arc::default(), Some(bell)).unwrap();
        let (owner, now) = (OwnerToken::from_bytes([1; 16]), Timestamp::from_millis(1_000_000));
        let ttl = Duration::from_secs(60);
        for number in 0..keys {
            let key = IdempotencyKey::from_stored(&format!("go:{number}"));
            let claim = ClaimRequest::new(key.clone(), owner, now, now.plus(ttl), ttl);
            let Ok(Claim::Acquired { epoch, .. }) = database.claim(&claim) else {
                panic!("{key} was not granted");
            };
            let change = Change::Complete(RecordedValue::new(1, Some(vec![7; bytes].into())));
            let written = database.write(&OwnerWrite::new(key, owner, epoch, now, ttl, change));
            assert!(matches!(written, Ok(Written::Applied { .. })));
        }
        rings.try_recv().is_ok()
    }

    #[test]
    fn a_purge_that_does_not_come_to_an_end_takes_more_and_never_more_than_half() {
        let share = |minutes: u64| pace(Duration::from_secs(60 * minutes));
        assert_eq!([0, 1, 2, 3].map(share), [(30, 12), (60, 6), (120, 3), (240, 1)]);
        assert_eq!(share(100_000), share(3));
    }

    #[test]
    fn the_bell_is_rung_after_many_rows_and_after_few_large_ones() {
        assert!(!rings_after(4, 40));
        assert!(rings_after(200, 40));
        assert!(rings_after(4, 1_000_000));
    }
}
