//! The thread that owns the connection, and the queue in front of it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use idempotency_runtime::{
    Claim, ClaimRequest, Evict, IdempotencyKey, ListRequest, OwnerWrite, Record, StoreError, StoreErrorKind,
    Timestamp, Written,
};
use tokio::sync::oneshot;

use super::SqliteStoreBuilder;
use super::keeper::Bell;
use super::line::Line;
use super::same_file::Opened;
use super::store::Database;
use super::turns::Turns;

/// Where the answer to a job goes.
pub(super) type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// One call of the store, on its way to the thread.
pub(super) enum Job {
    Claim { request: ClaimRequest, reply: Reply<Claim> },
    Write { request: OwnerWrite, reply: Reply<Written> },
    Inspect { key: IdempotencyKey, reply: Reply<Option<Record>> },
    Evict { request: Evict, reply: Reply<bool> },
    List { request: ListRequest, reply: Reply<Vec<Record>> },
    Purge { now: Timestamp, limit: usize, reply: Reply<usize> },
    Ready { reply: Reply<()> },
    Task { task: Box<Task>, locked: bool, reply: Reply<()> },
}

/// Work of other parts of the store on the connection. It may be called again if a lock was in its way.
type Task = dyn FnMut(&Database) -> Result<(), StoreError> + Send;

/// A job and when it came.
pub(super) struct Queued {
    pub(super) job: Job,
    pub(super) since: Instant,
}

/// The queue. The thread ends when it is dropped.
pub(super) struct Writer {
    jobs: Sender<Queued>,
    path: String,
}

impl Writer {
    /// Starts the thread and opens the file on it; also says its path, and which file it is.
    pub(super) async fn open(
        settings: SqliteStoreBuilder,
        turns: Arc<Turns>,
        bell: Bell,
    ) -> Result<(Self, String, Opened), StoreError> {
        let (jobs, queue) = channel();
        let (opened, answer) = oneshot::channel();
        let shown = settings.path.display().to_string();
        thread::Builder::new()
            .name("idempotency-sqlite".to_owned())
            .spawn(move || match Database::open(&settings, turns, Some(bell)) {
                Ok(database) => {
                    if opened.send(Ok((database.path().to_owned(), database.opened()))).is_ok() {
                        work(database, &queue);
                    }
                }
                Err(error) => drop(opened.send(Err(error))),
            })
            .map_err(|cause| {
                let message = format!("the thread for the SQLite file `{shown}` could not be started");
                StoreError::new(StoreErrorKind::Unavailable, message).with_source(cause)
            })?;
        let (path, file) = answer.await.map_err(|_| ended(&shown))??;
        Ok((Self { jobs, path: path.clone() }, path, file))
    }

    /// Queues the job that `job` makes around a reply, and waits for the answer.
    pub(super) async fn call<T>(&self, job: impl FnOnce(Reply<T>) -> Job) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.send(job(reply))?;
        answer.await.map_err(|_| interrupted(&self.path))?
    }

    /// Reads something.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnMut(&Database) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.task(work, false).await
    }

    /// Changes something, under the write lock.
    pub(super) async fn change<T: Send + 'static>(
        &self,
        work: impl FnMut(&Database) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.task(work, true).await
    }

    async fn task<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&Database) -> Result<T, StoreError> + Send + 'static,
        locked: bool,
    ) -> Result<T, StoreError> {
        let found = Arc::new(Mutex::new(None));
        let keep = found.clone();
        let task = move |database: &Database| {
            let done = work(database)?;
            *keep.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
            Ok(())
        };
        self.call(|reply| Job::Task { task: Box::new(task), locked, reply }).await?;
        let done = found.lock().unwrap_or_else(PoisonError::into_inner).take();
        done.ok_or_else(|| interrupted(&self.path))
    }

    /// Queues a job.
    pub(super) fn send(&self, job: Job) -> Result<(), StoreError> {
        self.jobs.send(Queued { job, since: Instant::now() }).map_err(|_| ended(&self.path))
    }
}

/// The thread's loop.
fn work(mut database: Database, queue: &Receiver<Queued>) {
    let mut line = Line::default();
    while let Some(job) = line.next(queue, &mut database) {
        line.serve(job, queue, &mut database);
    }
}

impl Queued {
    /// Does the job, or gives it back if another connection holds the lock and there is time to wait.
    ///
    /// A caller that is gone wants nothing read or claimed any more. Its writes and evictions are still made: they
    /// tell the truth about something that has already happened.
    pub(super) fn run(self, database: &mut Database) -> Option<Self> {
        let Self { job, since } = self;
        let back = match job {
            Job::Claim { reply, .. } if reply.is_closed() => None,
            Job::Inspect { reply, .. } if reply.is_closed() => None,
            Job::List { reply, .. } if reply.is_closed() => None,
            Job::Claim { request, reply } => {
                answer(reply, database, since, |database| database.claim(&request))
                    .map(|reply| Job::Claim { request, reply })
            }
            Job::Write { request, reply } => {
                answer(reply, database, since, |database| database.write(&request))
                    .map(|reply| Job::Write { request, reply })
            }
            Job::Inspect { key, reply } => answer(reply, database, since, |database| database.inspect(&key))
                .map(|reply| Job::Inspect { key, reply }),
            Job::Evict { request, reply } => {
                answer(reply, database, since, |database| database.evict(&request))
                    .map(|reply| Job::Evict { request, reply })
            }
            Job::List { request, reply } => {
                answer(reply, database, since, |database| database.list(&request))
                    .map(|reply| Job::List { request, reply })
            }
            Job::Purge { now, limit, reply } => {
                answer(reply, database, since, |database| database.purge(now, limit))
                    .map(|reply| Job::Purge { now, limit, reply })
            }
            Job::Task { mut task, locked, reply } => {
                let work = |database: &mut Database| {
                    if locked { database.locked(&mut *task) } else { task(database) }
                };
                answer(reply, database, since, work).map(|reply| Job::Task { task, locked, reply })
            }
            Job::Ready { reply } => {
                answer(reply, database, since, Database::ready).map(|reply| Job::Ready { reply })
            }
        };
        back.map(|job| Self { job, since })
    }
}

impl Queued {
    /// Gives the job back if there is time to wait for the lock, and answers it if there is not.
    pub(super) fn wait_or_fail(self, database: &mut Database) -> Option<Self> {
        if database.may_wait(self.since) {
            return Some(self);
        }
        let error = name_blocker(database.is_locked(), database);
        match self.job {
            Job::Claim { reply, .. } => drop(reply.send(Err(error))),
            Job::Write { reply, .. } => drop(reply.send(Err(error))),
            // No other job is served with others.
            job => return Some(Self { job, ..self }),
        }
        None
    }
}

/// Does the work and answers; gives the reply back if the work shall be tried again. Nothing was applied then.
fn answer<T>(
    reply: Reply<T>,
    database: &mut Database,
    since: Instant,
    work: impl FnOnce(&mut Database) -> Result<T, StoreError>,
) -> Option<Reply<T>> {
    match work(database) {
        Err(error) if error.kind() == StoreErrorKind::Busy && database.may_wait(since) => Some(reply),
        // Nobody may be waiting for the answer any more; that is no error.
        answer => {
            drop(reply.send(answer.map_err(|error| name_blocker(error, database))));
            None
        }
    }
}

/// Who waited for too long is told about a transaction of this process: nobody else can end it.
fn name_blocker(error: StoreError, database: &Database) -> StoreError {
    match database.turns().open() {
        Some(open) if error.kind() == StoreErrorKind::Busy => StoreError::new(
            StoreErrorKind::Busy,
            format!(
                "the write lock of the SQLite file `{}` is held by {open}; nothing was written: end it before other calls \
                 on the file, also in one task",
                database.path()
            ),
        ),
        _ => error,
    }
}

fn ended(path: &str) -> StoreError {
    StoreError::new(
        StoreErrorKind::Other,
        format!(
            "the thread for the SQLite file `{path}` has ended; nothing was written: open the store again"
        ),
    )
}

fn interrupted(path: &str) -> StoreError {
    StoreError::new(
        StoreErrorKind::Unavailable,
        format!(
            "the thread for the SQLite file `{path}` ended during the call; the write may or may not have been \
             applied: open the store again"
        ),
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::SqliteStore;

    #[tokio::test]
    async fn a_call_after_the_thread_has_ended_is_an_error_that_says_so() {
        let (jobs, queue) = channel();
        drop(queue);
        let writer = Writer { jobs, path: "/orders.db".to_owned() };
        let error = writer.call(|reply| Job::Ready { reply }).await.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Other);
        assert!(error.to_string().contains("`/orders.db` has ended; nothing was written"), "{error}");
    }

    #[tokio::test]
    async fn a_call_during_which_the_thread_ends_may_have_been_applied() {
        let (jobs, queue) = channel();
        let writer = Writer { jobs, path: "/orders.db".to_owned() };
        thread::spawn(move || drop(queue.recv()));
        let error = writer.call(|reply| Job::Ready { reply }).await.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Unavailable);
        assert!(error.kind().is_ambiguous());
    }

    #[test]
    fn jobs_that_wait_are_answered_before_the_thread_ends() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("records.db");
        let settings =
            SqliteStoreBuilder { busy_timeout: Duration::from_millis(30), ..SqliteStore::builder(&path) };
        let database = Database::open(&settings, Arc::default(), None).unwrap();
        let other = rusqlite::Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let (jobs, queue) = channel();
        let (reply, mut answer) = oneshot::channel();
        jobs.send(Queued { job: Job::Ready { reply }, since: Instant::now() }).unwrap();
        drop(jobs);
        work(database, &queue);
        let error = answer.try_recv().expect("the job was dropped").unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Busy);
    }
}
