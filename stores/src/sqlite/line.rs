//! Jobs that wait for the write lock of another connection.
//!
//! SQLite would wait inside a call, and every job behind it with it; a job that writes nothing is served meanwhile.
//! SQLite also sleeps up to 100 ms between two looks at the lock, so that of many busy processes one may look in
//! vain for seconds; short random pauses let each have its turn.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::group::{Group, LARGEST};
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

    /// Does a job and those that have come with it, or puts them in line.
    pub(super) fn serve(&mut self, job: Queued, queue: &Receiver<Queued>, database: &mut Database) {
        let (mut group, mut others) = (Group::default(), Vec::new());
        others.extend(group.take(job));
        while group.len() + others.len() < LARGEST
            && let Ok(job) = queue.try_recv()
        {
            others.extend(group.take(job));
        }
        let locked_at = database.locked_at();
        let back = serve(group, others, database);
        self.has_only_read = back.is_empty() && database.locked_at() == locked_at;
        if back.is_empty() {
            return;
        }
        self.waiting.extend(back);
        database.turns().set_writer_waits(true);
        if self.next_look.is_none() {
            self.look_later();
        }
    }

    /// Serves those who wait, if the lock is to be had. Who has waited for too long is answered and leaves.
    fn look(&mut self, database: &mut Database) {
        while !self.waiting.is_empty() {
            let (mut group, mut others) = (Group::default(), Vec::new());
            let count = self.waiting.len().min(LARGEST);
            for job in self.waiting.drain(..count) {
                others.extend(group.take(job));
            }
            let back = serve(group, others, database);
            if !back.is_empty() {
                back.into_iter().rev().for_each(|job| self.waiting.push_front(job));
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

/// Those that can be served together, then the others, one after the other.
fn serve(group: Group, others: Vec<Queued>, database: &mut Database) -> Vec<Queued> {
    let mut back = group.serve(database);
    back.extend(others.into_iter().filter_map(|job| job.run(database)));
    back
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
