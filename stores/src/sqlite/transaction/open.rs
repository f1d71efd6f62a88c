//! The transaction that is open, on the thread that runs it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use idempotency_runtime::transaction::{Entered, Entry, Leaving};
use idempotency_runtime::{
    Claim, ClaimRequest, OwnerWrite, Record, StoreError, StoreErrorKind as Kind, protocol,
};

use rusqlite::Connection;

use super::super::store::Database;
use super::guard::{Guard, SAVEPOINTS};
use super::ticket::{Over, Ticket};

pub(super) struct Open {
    pub(super) ticket: Arc<Ticket>,
    pub(super) since: Instant,
    /// The operations that are open, the innermost last.
    operations: Vec<Operation>,
    begun: u32,
    /// Why it cannot be committed.
    spoilt: Option<String>,
    guard: Arc<Guard>,
}

struct Operation {
    number: u32,
    /// As the claim has written it.
    record: Record,
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
    pub(super) fn new(ticket: Arc<Ticket>, guard: Arc<Guard>) -> Self {
        Self { ticket, since: Instant::now(), operations: Vec::new(), begun: 0, spoilt: None, guard }
    }

    /// Runs statements of the caller. A panic of theirs is in the answer.
    pub(super) fn run<T>(
        &mut self,
        database: &Database,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Failure> {
        self.check()?;
        let (ran, refused) =
            self.guard.run(|| catch_unwind(AssertUnwindSafe(|| work(database.connection()))));
        let at = self.ticket.at;
        if refused {
            self.spoil(|| "its statements wanted to begin or end a transaction themselves".to_owned());
            let message = format!(
                "the statements of the transaction that was opened at {at} wanted to begin or end a transaction, which is \
                 done by `begin`, `commit` and `rollback`; for a part that may fail, use a savepoint"
            );
            return Err(StoreError::new(Kind::Misconfigured, message).into());
        }
        match ran {
            Ok(result) => result.map_err(Failure::Sqlite),
            Err(payload) => {
                self.spoil(|| "a closure panicked half-way".to_owned());
                Err(Failure::Panicked(payload))
            }
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
                "key `{}`: another operation (key `{}`) is open on the transaction that was opened at {}: run operations \
                 on one transaction one after the other, or one in the body of the other",
                request.key, open.record.key, self.ticket.at
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
        self.operations.push(Operation { number, record });
        let entry = Entry { transaction: self.ticket.number, number };
        Ok(Entered { claim: decision.answer, entry: Some(entry) })
    }

    /// Undoes an operation whose body has not begun.
    pub(super) fn take_back(&mut self, database: &Database, entry: Entry) {
        self.operations.retain(|open| open.number != entry.number);
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
        let Some(Operation { number, record }) = innermost else {
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

    pub(super) fn commit(&mut self, database: &Database) -> Result<(), StoreError> {
        if let Some(open) = self.operations.last() {
            let key = open.record.key.clone();
            self.spoil(|| format!("the operation with key `{key}` has not ended"));
        }
        let committed = self.check().and_then(|()| database.control("COMMIT"));
        match committed {
            Ok(()) => self.ticket.end(Over::Committed),
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
