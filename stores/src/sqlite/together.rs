//! Many calls in one transaction, with one wait for the disk.
//!
//! Whatever has come while the last transaction was written goes into the next one. Nobody waits for company: a call
//! that comes alone is alone.

use std::collections::HashSet;
use std::error::Error as _;
use std::time::Instant;

use idempotency_runtime::{
    Claim, ClaimRequest, IdempotencyKey, OwnerWrite, Record, StoreError, StoreErrorKind, Written, protocol,
};
use rusqlite::ffi;

use super::store::Database;

/// One of the calls.
#[derive(Clone, Copy)]
pub(super) enum Call<'a> {
    Claim(&'a ClaimRequest),
    Write(&'a OwnerWrite),
}

/// What it gets.
pub(super) enum Answer {
    Claim(Claim),
    Write(Written),
}

/// What became of those that were not answered on the way.
pub(super) enum Together {
    /// They are applied, and these are their answers.
    Done(Vec<(usize, Result<Answer, StoreError>)>),
    /// Another connection holds the lock.
    Busy,
    /// They were undone for an error that may be that of any one of them.
    Alone,
}

impl Call<'_> {
    fn key(&self) -> &IdempotencyKey {
        match self {
            Self::Claim(request) => &request.key,
            Self::Write(request) => &request.key,
        }
    }

    /// Whether it is an owner's write, and one of these is on the same key.
    fn is_word_behind(&self, calls: &[Self], writings: &[Writing]) -> bool {
        matches!(self, Self::Write(_))
            && writings.iter().any(|writing| calls[writing.number].key() == self.key())
    }

    fn decide(&self, found: Option<&Record>) -> (Option<Record>, Answer) {
        match self {
            Self::Claim(request) => {
                let decision = protocol::claim(found, request);
                (decision.write, Answer::Claim(decision.answer))
            }
            Self::Write(request) => {
                let decision = protocol::write(found, request);
                (decision.write, Answer::Write(decision.answer))
            }
        }
    }
}

/// A call that writes: which one, and what it does to the record that was found.
struct Writing {
    number: usize,
    /// `None`: decided when those before it are written.
    decided: Option<(Record, Answer)>,
}

impl Database {
    /// Makes the calls in their order. Those that write nothing are answered at once through `now`, the others by what
    /// this returns, when all of it is on the disk.
    pub(super) fn together(
        &mut self,
        calls: &[Call<'_>],
        now: impl FnMut(usize, Result<Answer, StoreError>),
    ) -> Together {
        let together = self.undo().and_then(|()| self.read_and_write(calls, now));
        if !matches!(together, Ok(Together::Done(_))) {
            // What cannot be undone now is so before the next call.
            let _ = self.undo();
        }
        match together {
            Ok(together) => together,
            Err(error) if error.kind() == StoreErrorKind::Busy => Together::Busy,
            Err(_) => Together::Alone,
        }
    }

    /// Reads and writes in one snapshot: a record needs to be read once. That the lock is taken by the first write and
    /// not before is no danger, since who finds that the file has changed in between begins again.
    fn read_and_write(
        &mut self,
        calls: &[Call<'_>],
        mut now: impl FnMut(usize, Result<Answer, StoreError>),
    ) -> Result<Together, StoreError> {
        self.execute("BEGIN", [])?;
        let mut writings: Vec<Writing> = Vec::new();
        for (number, call) in calls.iter().enumerate() {
            let (write, answer) = match self.load(call.key()) {
                Ok(found) => call.decide(found.as_ref()),
                Err(error) if self.concerns_all(&error) => return Err(error),
                Err(error) => {
                    now(number, Err(error));
                    continue;
                }
            };
            match write {
                Some(record) => writings.push(Writing { number, decided: Some((record, answer)) }),
                // An owner that has stopped waiting for its claim has not claimed in vain: its next word is not refused
                // for coming in the same group.
                None if call.is_word_behind(calls, &writings) => {
                    writings.push(Writing { number, decided: None });
                }
                None => now(number, Ok(answer)),
            }
        }
        if writings.is_empty() {
            self.execute("COMMIT", [])?;
            return Ok(Together::Done(Vec::new()));
        }
        if self.turns().writer_stands_back() {
            return Ok(Together::Busy);
        }
        let numbers: Vec<usize> = writings.iter().map(|writing| writing.number).collect();
        match self.write_all(calls, writings) {
            Err(error) if is_outdated(&error) => {
                self.undo()?;
                self.execute("BEGIN IMMEDIATE", [])?;
                self.decide_and_write_all(calls, &numbers)
            }
            done => done,
        }
    }

    fn write_all(&mut self, calls: &[Call<'_>], writings: Vec<Writing>) -> Result<Together, StoreError> {
        let mut answers = Vec::with_capacity(writings.len());
        let mut written = HashSet::new();
        for Writing { number, decided } in writings {
            let call = &calls[number];
            let done = match decided {
                Some((record, answer)) if !written.contains(call.key()) => {
                    self.save(&record).map(|()| answer)
                }
                _ => self.decide_and_write(call),
            };
            if let Err(error) = done {
                if self.concerns_all(&error) {
                    return Err(error);
                }
                answers.push((number, Err(error)));
                continue;
            }
            written.insert(call.key());
            answers.push((number, done));
        }
        self.commit(answers)
    }

    fn decide_and_write_all(
        &mut self,
        calls: &[Call<'_>],
        numbers: &[usize],
    ) -> Result<Together, StoreError> {
        let mut answers = Vec::with_capacity(numbers.len());
        for &number in numbers {
            match self.decide_and_write(&calls[number]) {
                Err(error) if self.concerns_all(&error) => return Err(error),
                done => answers.push((number, done)),
            }
        }
        self.commit(answers)
    }

    /// Whether it is no error of the one call that met it. A lock is in the way of all. And some errors, of a read as
    /// well, end the transaction (no memory, a failure of the disk): what was read before is void then, and to go on
    /// would write it without the lock, over what others have written since.
    fn concerns_all(&self, error: &StoreError) -> bool {
        error.kind() == StoreErrorKind::Busy || self.is_idle()
    }

    fn decide_and_write(&self, call: &Call<'_>) -> Result<Answer, StoreError> {
        let (write, answer) = call.decide(self.load(call.key())?.as_ref());
        write.map_or(Ok(()), |record| self.save(&record))?;
        Ok(answer)
    }

    fn commit(&mut self, answers: Vec<(usize, Result<Answer, StoreError>)>) -> Result<Together, StoreError> {
        self.has_locked(Instant::now())?;
        self.execute("COMMIT", [])?;
        self.has_committed();
        Ok(Together::Done(answers))
    }
}

/// Whether another connection has written since this one began to read.
fn is_outdated(error: &StoreError) -> bool {
    let sqlite = error.source().and_then(|source| source.downcast_ref::<rusqlite::Error>());
    let code = sqlite.and_then(|error| error.sqlite_error()).map(|error| error.extended_code);
    code == Some(ffi::SQLITE_BUSY_SNAPSHOT)
}
