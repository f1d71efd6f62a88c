//! The transaction that is open, on the thread that runs it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use idempotency_runtime::transaction::{Entered, Entry, Leaving};
use idempotency_runtime::{
    Claim, ClaimRequest, OwnerWrite, Record, StoreError, StoreErrorKind as Kind, protocol,
};

use rusqlite::{Connection, ErrorCode, ffi};

use super::super::store::Database;
use super::guard::{Guard, Ran, SAVEPOINTS};
use super::ticket::{Over, Ticket};

pub(super) struct Open {
    pub(super) ticket: Arc<Ticket>,
    pub(super) since: Instant,
    /// When it is rolled back; `None`: beyond the end of time.
    pub(super) until: Option<Instant>,
    /// The operations that are open, the innermost last.
    operations: Vec<Operation>,
    begun: u32,
    /// How often it was asked for something that its operations do not do when they begin.
    pub(super) worked: u64,
    /// Why it cannot be committed.
    spoilt: Option<String>,
    guard: Arc<Guard>,
}

struct Operation {
    number: u32,
    /// As the claim has written it.
    record: Record,
    /// What [`Open::worked`] was when it began.
    worked: u64,
}

/// Of an operation's savepoint. The name is its number, so that operations nest.
fn savepoint(number: u32) -> String {
    format!("{SAVEPOINTS}{number}")
}

/// Why the caller's statements have no result.
pub(super) enum Failure {
    Sqlite(rusqlite::Error),
    Store(StoreError),
    Panicked(Box<dyn Any + Send>),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Open {
    /// It may be open for this long.
    pub(super) fn new(ticket: Arc<Ticket>, timeout: Duration, guard: Arc<Guard>) -> Self {
        let since = Instant::now();
        let until = since.checked_add(timeout);
        Self { ticket, since, until, operations: Vec::new(), begun: 0, worked: 0, spoilt: None, guard }
    }

    /// Runs statements of the caller. A panic of theirs is in the answer.
    pub(super) fn run<T>(
        &mut self,
        database: &Database,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Failure> {
        self.check()?;
        let work = || catch_unwind(AssertUnwindSafe(|| work(database.connection())));
        let Ran { result: ran, refused, late } = self.guard.run(self.until, work);
        let at = self.ticket.at;
        if refused {
            self.spoil(|| "its statements wanted to begin or end a transaction themselves".to_owned());
            let message = format!(
                "the statements of the transaction that was opened at {at} wanted to begin or end a transaction, which is \
                 done by `begin`, `commit` and `rollback`; for a part that may fail, use a savepoint"
            );
            return Err(StoreError::new(Kind::Misconfigured, message).into());
        }
        if late {
            self.ticket.end(Over::TimedOut(self.since.elapsed()));
        }
        match ran {
            Err(payload) => {
                self.spoil(|| "a closure panicked half-way".to_owned());
                Err(Failure::Panicked(payload))
            }
            Ok(_) if late => Err(self.ticket.ended().into()),
            Ok(result) => self.unless_over(database, result),
        }
    }

    /// The result of statements, if the transaction that they ran in is still open.
    fn unless_over<T>(&self, database: &Database, result: rusqlite::Result<T>) -> Result<T, Failure> {
        if !database.is_idle() {
            return result.map_err(Failure::Sqlite);
        }
        self.ticket.end(Over::BySqlite);
        match result {
            Ok(_) => Err(self.ticket.ended().into()),
            // It was refused because it came too late, which says nothing about itself.
            Err(error) if is_late_commit(&error) => Err(self.ticket.ended().with_source(error).into()),
            Err(error) => Err(Failure::Sqlite(error)),
        }
    }

    /// From now on it cannot be committed. What is said first stands.
    pub(super) fn spoil(&mut self, why: impl FnOnce() -> String) {
        self.spoilt.get_or_insert_with(why);
    }

    fn check(&self) -> Result<(), StoreError> {
        match &self.spoilt {
            None => Ok(()),
            Some(why) => Err(StoreError::new(
                Kind::RolledBack,
                format!("the transaction that was opened at {} cannot be committed: {why}", self.ticket.at),
            )),
        }
    }

    /// Claims a key, within the operation `parent`.
    pub(super) fn enter(
        &mut self,
        database: &Database,
        request: &ClaimRequest,
        parent: Option<Entry>,
    ) -> Result<Entered, StoreError> {
        self.check()?;
        if let Some(open) =
            self.operations.last().filter(|open| parent.map(|parent| parent.number) != Some(open.number))
        {
            let message = format!(
                "another operation (key `{}`) is open on the transaction that was opened at {}: run operations on one \
                 transaction one after the other, or one in the body of the other",
                open.record.key, self.ticket.at
            );
            return Err(StoreError::new(Kind::Misconfigured, message));
        }
        let decision = protocol::claim(database.load(&request.key)?.as_ref(), request);
        let Claim::Acquired { .. } = decision.answer else {
            if let Some(record) = &decision.write {
                database.save(record)?;
            }
            return Ok(Entered { claim: decision.answer, entry: None });
        };
        let number = self.begun;
        self.begun += 1;
        database.control(&format!("SAVEPOINT {}", savepoint(number)))?;
        // A claim whose answer was lost is no event here: owners are drawn for one call each.
        let Some(record) = decision.write else {
            return Err(StoreError::new(Kind::Other, "a claim was granted twice inside one transaction"));
        };
        if let Err(error) = database.save(&record) {
            Self::undo(database, number)?;
            return Err(error);
        }
        self.operations.push(Operation { number, record, worked: self.worked });
        let entry = Entry { transaction: self.ticket.number, number };
        Ok(Entered { claim: decision.answer, entry: Some(entry) })
    }

    /// Undoes an operation whose body has not begun.
    pub(super) fn take_back(&mut self, database: &Database, entry: Entry) {
        let innermost = self.operations.pop_if(|open| open.number == entry.number);
        if let Some(Operation { record, worked, .. }) = innermost
            && worked != self.worked
        {
            // Somebody was told that it is done.
            self.spoil(|| {
                format!(
                    "statements were run beside the operation with key `{}`, which was dropped, and are undone with it",
                    record.key
                )
            });
        }
        if Self::undo(database, entry.number).is_err() {
            self.spoil(|| "an operation could not be undone".to_owned());
        }
    }

    /// Ends the innermost operation.
    pub(super) fn leave(
        &mut self,
        database: &Database,
        entry: Entry,
        leaving: &Leaving,
    ) -> Result<(), StoreError> {
        self.check()?;
        let innermost = self.operations.pop_if(|open| open.number == entry.number);
        let Some(Operation { number, record, .. }) = innermost else {
            let at = self.ticket.at;
            self.spoil(|| "an operation ended before those in its body did".to_owned());
            return Err(StoreError::new(
                Kind::Misconfigured,
                format!("operations on the transaction that was opened at {at} ended out of order"),
            ));
        };
        let left = match leaving {
            Leaving::Keep(write) => record_outcome(database, &record, write)
                .and_then(|()| database.control(&format!("RELEASE {}", savepoint(number)))),
            Leaving::Undo(write) => Self::undo(database, number).and_then(|()| match write {
                Some(write) => record_outcome(database, &record, write),
                None => Ok(()),
            }),
        };
        if let Err(error) = &left {
            // Rows without their outcome, or an outcome without its rows, must never be committed.
            self.spoil(|| format!("the outcome of key `{}` could not be recorded ({error})", record.key));
        }
        left
    }

    /// Undoes an operation that was dropped half-way, and all that are open in its body.
    pub(super) fn abandon(&mut self, database: &Database, entry: Entry) {
        let Some(at) = self.operations.iter().position(|open| open.number == entry.number) else { return };
        let key = self.operations[at].record.key.clone();
        self.operations.truncate(at);
        // If the undoing fails as well, nothing of this transaction will be committed in any case.
        let _ = Self::undo(database, entry.number);
        self.spoil(|| format!("the operation with key `{key}` was dropped half-way"));
    }

    fn undo(database: &Database, number: u32) -> Result<(), StoreError> {
        let name = savepoint(number);
        database.control(&format!("ROLLBACK TO {name}; RELEASE {name}"))
    }

    pub(super) fn commit(&mut self, database: &Database) -> Result<(), Failure> {
        if let Some(open) = self.operations.last() {
            let key = open.record.key.clone();
            self.spoil(|| format!("the operation with key `{key}` has not ended"));
        }
        let committed = self.check().map_err(Failure::Store).and_then(|()| commit(database));
        match &committed {
            Ok(()) => self.ticket.end(Over::Committed),
            Err(Failure::Store(error)) if error.kind().is_ambiguous() => {
                self.roll_back(database, Over::Uncertain);
            }
            Err(_) => self.roll_back(database, Over::RolledBack),
        }
        committed
    }

    pub(super) fn roll_back(&mut self, database: &Database, over: Over) {
        self.operations.clear();
        self.ticket.end(over);
        // What cannot be rolled back now is so before the next transaction begins.
        let _ = database.undo();
    }
}

/// A constraint that is looked at by the commit is one of the caller's tables, and so is its error.
fn commit(database: &Database) -> Result<(), Failure> {
    database.connection().execute_batch("COMMIT").map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => Failure::Sqlite(error),
        _ => Failure::Store(database.failed(error)),
    })
}

/// Whether the guard has refused the commit of a statement that ran after the end of its transaction.
fn is_late_commit(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_CONSTRAINT_COMMITHOOK)
}

/// The claim's record with its outcome.
fn record_outcome(database: &Database, record: &Record, write: &OwnerWrite) -> Result<(), StoreError> {
    match protocol::write(Some(record), write).write {
        Some(record) => database.save(&record),
        None => Err(StoreError::new(
            Kind::Other,
            "an outcome was refused inside the transaction of its own claim",
        )),
    }
}
