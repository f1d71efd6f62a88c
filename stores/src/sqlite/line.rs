//! Jobs that wait for the write lock of another connection.
//!
//! SQLite would wait inside a call, and every job behind it with it; a job that writes nothing is served meanwhile.
//! SQLite also sleeps up to 100 ms between two looks at the lock, so that of many busy processes one may look in
//! vain for seconds; short random pauses let each have its turn.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::store::Database;
use super::writer::Queued;

/// The longest pause between two looks, in milliseconds.
const LONGEST_PAUSE: u64 = 8;

/// How long the thread looks for the next job before it sleeps, after one that has only read.
const SPIN: Duration = Duration::from_micros(20);

/// The jobs that wait, in the order of their coming.
#[derive(Default)]
pub(super) struct Line {
    waiting: VecDeque<Queued>,
    next_look: Option<Instant>,
    /// How often the first has looked in vain.
    looked: u32,
    /// Whether the last job did not need the write lock.
    has_only_read: bool,
}

impl Line {
    /// The next job of the queue, as it comes. Meanwhile those that wait are tried again. `None`: the queue is
    /// closed, and nobody waits.
    pub(super) fn next(&mut self, queue: &Receiver<Queued>, database: &mut Database) -> Option<Queued> {
        loop {
            let Some(next_look) = self.next_look else {
                let soon = if self.has_only_read { next_soon(queue) } else { None };
                return soon.or_else(|| queue.recv().ok());
            };
            let pause = next_look.saturating_duration_since(Instant::now());
            if pause.is_zero() {
                self.look(database);
                continue;
            }
            match queue.recv_timeout(pause) {
                Ok(job) => return Some(job),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => thread::sleep(pause),
            }
        }
    }

    /// Does a job, or puts it in line.
    pub(super) fn serve(&mut self, job: Queued, database: &mut Database) {
        let locked_at = database.locked_at();
        let back = job.run(database);
        self.has_only_read = back.is_none() && database.locked_at() == locked_at;
        if let Some(job) = back {
            self.waiting.push_back(job);
            database.turns().set_writer_waits(true);
            if self.next_look.is_none() {
                self.look_later();
            }
        }
    }

    /// Serves those who wait until one still has to. Who has waited for too long is answered and leaves.
    fn look(&mut self, database: &mut Database) {
        while let Some(first) = self.waiting.pop_front() {
            if let Some(first) = first.run(database) {
                self.waiting.push_front(first);
                return self.look_later();
            }
            self.looked = 0;
        }
        self.next_look = None;
        database.turns().set_writer_waits(false);
    }

    fn look_later(&mut self) {
        self.looked = self.looked.saturating_add(1);
        self.next_look = Some(Instant::now() + pause(self.looked));
    }
}

/// A job that comes at once: to be woken for it would cost several times what a job takes that only reads. After a
/// write the disk is the slow part, and looking was measured to cost more than being woken.
fn next_soon(queue: &Receiver<Queued>) -> Option<Queued> {
    let start = Instant::now();
    while start.elapsed() < SPIN {
        if let Ok(job) = queue.try_recv() {
            return Some(job);
        }
        std::hint::spin_loop();
    }
    None
}

/// The pause after having looked at a lock this often in vain.
pub(super) fn pause(looked: u32) -> Duration {
    let longest = 1_000 * u64::from(looked).clamp(1, LONGEST_PAUSE);
    Duration::from_micros(fastrand::u64(100..=longest))
}
