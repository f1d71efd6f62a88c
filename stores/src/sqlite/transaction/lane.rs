//! The thread on which transactions run, one after the other: SQLite has one writer per file.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use idempotency_runtime::{StoreError, StoreErrorKind as Kind};
use tokio::sync::oneshot;

use super::super::SqliteStoreBuilder;
use super::super::keeper::Bell;
use super::super::line::pause;
use super::super::store::Database;
use super::super::turns::{Opened, Turns};
use super::super::writer::Reply;
use super::guard::{Guard, runs_statements};
use super::open::Open;
use super::ticket::{Over, Ticket};

/// How long the writer is left alone between two transactions, if it waits: longer than the pause between two of its
/// looks at the lock.
const WRITERS_TURN: Duration = Duration::from_millis(10);

/// Done on the thread, with the transaction that it is for, or why there is none.
pub(super) type Work = Box<dyn FnOnce(Result<(&mut Open, &Database), StoreError>) + Send>;

pub(super) enum Job {
    Begin(Begin),
    In { ticket: Arc<Ticket>, work: Work },
}

/// The way to the thread, which ends when nobody has it any more.
#[derive(Clone, Debug)]
pub(in super::super) struct Queue {
    jobs: Sender<Job>,
    thread: ThreadId,
}

impl Queue {
    /// `false`: the thread has ended, which it does not do by itself.
    pub(super) fn push(&self, job: Job) -> bool {
        self.jobs.send(job).is_ok()
    }

    /// An error for a closure that would wait for the thread that it runs on.
    pub(super) fn check_caller(&self) -> Result<(), StoreError> {
        if runs_statements() && thread::current().id() == self.thread {
            let message = "a closure in a transaction waits for its own thread: take what it needs before it runs, and \
                           do the rest when it has returned";
            return Err(StoreError::new(Kind::Misconfigured, message));
        }
        Ok(())
    }
}

/// A caller that wants a transaction.
pub(super) struct Begin {
    pub(super) ticket: Arc<Ticket>,
    pub(super) since: Instant,
    pub(super) reply: Reply<()>,
}

struct Lane {
    database: Database,
    turns: Arc<Turns>,
    guard: Arc<Guard>,
    busy_timeout: Duration,
    transaction_timeout: Duration,
    open: Option<Open>,
    waiting: VecDeque<Begin>,
    next_look: Option<Instant>,
    looked: u32,
}

/// Starts the thread, with a connection of its own to the file.
pub(in super::super) async fn start(
    settings: SqliteStoreBuilder,
    turns: Arc<Turns>,
    bell: Bell,
) -> Result<Queue, StoreError> {
    let (jobs, queue) = channel();
    let (opened, answer) = oneshot::channel();
    let shown = settings.path.display().to_string();
    let started = thread::Builder::new()
        .name("idempotency-transactions".to_owned())
        .spawn(move || match Lane::open(&settings, turns, bell) {
            Ok(lane) => {
                if opened.send(Ok(())).is_ok() {
                    lane.work(&queue);
                }
            }
            Err(error) => drop(opened.send(Err(error))),
        })
        .map_err(|cause| {
            let message =
                format!("the thread for transactions on the SQLite file `{shown}` could not be started");
            StoreError::new(Kind::Unavailable, message).with_source(cause)
        })?;
    match answer.await {
        Ok(opened) => opened.map(|()| Queue { jobs, thread: started.thread().id() }),
        Err(_) => Err(gone()),
    }
}

/// The error for a thread that has ended, which it does not do by itself.
pub(super) fn gone() -> StoreError {
    StoreError::new(Kind::RolledBack, "the thread for transactions has ended; nothing was written")
}

/// The error for a caller that has waited for too long.
pub(super) fn busy(path: &Path, turns: &Turns, since: Instant) -> StoreError {
    let waited = since.elapsed().as_millis();
    let blocker = match turns.open() {
        Some(open) => {
            format!("{open} holds it; commit or roll back one before the next is opened, also in one task")
        }
        None => "another connection holds it: look for a transaction that is held open".to_owned(),
    };
    let path = path.display();
    let message = format!("no transaction on the SQLite file `{path}` within {waited} ms: {blocker}");
    StoreError::new(Kind::Busy, message)
}

impl Lane {
    fn open(settings: &SqliteStoreBuilder, turns: Arc<Turns>, bell: Bell) -> Result<Self, StoreError> {
        let mut database = Database::open(settings, turns.clone(), Some(bell))?;
        let guard = Arc::new(Guard::default());
        database.guard(&guard)?;
        Ok(Self {
            database,
            turns,
            guard,
            busy_timeout: settings.busy_timeout,
            transaction_timeout: settings.transaction_timeout,
            open: None,
            waiting: VecDeque::new(),
            next_look: None,
            looked: 0,
        })
    }

    fn work(mut self, queue: &Receiver<Job>) {
        loop {
            self.expire();
            self.begin_next();
            self.turn_away();
            let job = match self.wake_at() {
                None => queue.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => queue.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            match job {
                Ok(Job::Begin(begin)) => self.waiting.push_back(begin),
                Ok(Job::In { ticket, work }) => self.serve(&ticket, work),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.end(Over::RolledBack);
        // The writer still has to do what waits in its line.
        self.turns.set_transaction_waits(false);
    }

    /// When there is something to do although nobody asks.
    fn wake_at(&self) -> Option<Instant> {
        let open = self.open.as_ref().and_then(|open| open.until);
        let waiting = self.waiting.front().and_then(|begin| begin.since.checked_add(self.busy_timeout));
        let look = self.next_look.filter(|_| self.open.is_none() && !self.waiting.is_empty());
        [open, waiting, look].into_iter().flatten().min()
    }

    /// Ends what has taken too long.
    fn expire(&mut self) {
        if let Some(open) = &self.open
            && open.until.is_some_and(|until| Instant::now() >= until)
        {
            self.end(Over::TimedOut(open.since.elapsed()));
        }
    }

    /// Tells those who have waited for too long.
    fn turn_away(&mut self) {
        while self.waiting.front().is_some_and(|begin| begin.since.elapsed() >= self.busy_timeout) {
            let Some(late) = self.waiting.pop_front() else { break };
            let error = busy(Path::new(self.database.path()), &self.turns, late.since);
            // Nobody may be waiting for the answer any more; that is no error.
            drop(late.reply.send(Err(error)));
        }
        if self.waiting.is_empty() {
            self.turns.set_transaction_waits(false);
        }
    }

    /// Opens the next transaction that is wanted, if the lock is to be had.
    fn begin_next(&mut self) {
        if self.open.is_some() || self.next_look.is_some_and(|at| Instant::now() < at) {
            return;
        }
        while let Some(next) = self.waiting.pop_front() {
            if next.reply.is_closed() {
                continue;
            }
            match self.database.begin() {
                Err(error) if error.kind() == Kind::Busy => {
                    self.waiting.push_front(next);
                    self.turns.set_transaction_waits(true);
                    self.looked = self.looked.saturating_add(1);
                    self.next_look = Some(Instant::now() + pause(self.looked));
                    return;
                }
                Err(error) => drop(next.reply.send(Err(error))),
                Ok(()) => {
                    self.turns.set_transaction_waits(false);
                    (self.looked, self.next_look) = (0, None);
                    let open = Open::new(next.ticket, self.transaction_timeout, self.guard.clone());
                    let opened = Opened { at: open.ticket.at, since: open.since };
                    self.turns.set_open(Some(opened));
                    self.open = Some(open);
                    if next.reply.send(Ok(())).is_ok() {
                        return;
                    }
                    self.end(Over::RolledBack);
                }
            }
        }
    }

    fn serve(&mut self, ticket: &Arc<Ticket>, work: Work) {
        let open = self.open.as_mut().filter(|open| open.ticket.number == ticket.number);
        // What nobody waits for any more is dropped here, and the caller's drops may panic.
        let Some(open) = open else {
            return drop(catch_unwind(AssertUnwindSafe(|| work(Err(ticket.ended())))));
        };
        if catch_unwind(AssertUnwindSafe(|| work(Ok((&mut *open, &self.database))))).is_err() {
            open.spoil(|| "a value of a closure panicked when it was dropped".to_owned());
        }
        if self.database.is_idle() {
            open.ticket.end(Over::BySqlite);
        }
        if open.ticket.is_over() {
            self.end(Over::RolledBack);
        }
    }

    /// Rolls back what is still open, and makes room for others.
    fn end(&mut self, over: Over) {
        let Some(mut open) = self.open.take() else { return };
        open.roll_back(&self.database, over);
        self.turns.set_open(None);
        self.database.has_committed();
        if self.turns.writer_waits() {
            self.next_look = Some(Instant::now() + WRITERS_TURN);
        }
    }
}
