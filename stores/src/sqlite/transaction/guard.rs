//! Keeps the caller's statements from ending the transaction that they run in, and from outlasting it.

use std::cell::Cell;
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

/// What the names of all savepoints begin with that the caller's statements must leave alone.
pub(super) const SAVEPOINTS: &str = "idempotency_operation_";

/// How many of SQLite's instructions lie between two looks at the time: some tens of microseconds.
const LOOK_EVERY: c_int = 2_000;

thread_local! {
    /// Whether this thread runs statements of a caller.
    static RUNS_STATEMENTS: Cell<bool> = const { Cell::new(false) };
}

/// Whether this is called by statements of a caller.
pub(super) fn runs_statements() -> bool {
    RUNS_STATEMENTS.get()
}

/// Whether statements of the caller are running, and what was noticed about them.
#[derive(Debug, Default)]
pub(in super::super) struct Guard {
    running: AtomicBool,
    refused: AtomicBool,
    late: AtomicBool,
    until: Mutex<Option<Instant>>,
}

/// How statements of the caller ended.
pub(super) struct Ran<R> {
    pub(super) result: R,
    /// One of them wanted to begin or end a transaction.
    pub(super) refused: bool,
    /// One of them was interrupted, since the time was over.
    pub(super) late: bool,
}

impl Guard {
    /// Runs statements of the caller, `until` when they may.
    pub(super) fn run<R>(&self, until: Option<Instant>, work: impl FnOnce() -> R) -> Ran<R> {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = until;
        self.running.store(true, Ordering::Relaxed);
        RUNS_STATEMENTS.set(true);
        let result = work();
        RUNS_STATEMENTS.set(false);
        self.running.store(false, Ordering::Relaxed);
        let (refused, late) = (&self.refused, &self.late);
        let [refused, late] = [refused, late].map(|noticed| noticed.swap(false, Ordering::Relaxed));
        Ran { result, refused, late }
    }

    /// Has every statement on the connection looked at from now on.
    pub(in super::super) fn watch(self: &Arc<Self>, connection: &mut Connection) -> rusqlite::Result<()> {
        let (statements, commits, progress) = (self.clone(), self.clone(), self.clone());
        let looked_at = move |context: AuthContext<'_>| statements.authorize(&context);
        Hooked::done(connection.authorizer(Some(looked_at)))?;
        // After a statement that ends the transaction itself (`INSERT OR ROLLBACK`), those that follow would each be
        // committed alone. The commit of the transaction is none of the caller's statements.
        Hooked::done(connection.commit_hook(Some(move || commits.running.load(Ordering::Relaxed))))?;
        Hooked::done(connection.progress_handler(LOOK_EVERY, Some(move || progress.is_late())))
    }

    /// What SQLite asks about every statement that is prepared.
    fn authorize(&self, context: &AuthContext<'_>) -> Authorization {
        let ends = match context.action {
            AuthAction::Transaction { .. } => true,
            AuthAction::Savepoint { savepoint_name, .. } => is_kept(savepoint_name),
            _ => false,
        };
        if ends && self.running.load(Ordering::Relaxed) {
            self.refused.store(true, Ordering::Relaxed);
            return Authorization::Deny;
        }
        Authorization::Allow
    }

    /// Whether the statement that is running is to be interrupted.
    fn is_late(&self) -> bool {
        let until = *self.until.lock().unwrap_or_else(PoisonError::into_inner);
        let late = self.running.load(Ordering::Relaxed) && until.is_some_and(|until| Instant::now() >= until);
        if late {
            self.late.store(true, Ordering::Relaxed);
        }
        late
    }
}

/// Whether a savepoint is one that the caller's statements must leave alone. To SQLite, case does not count.
fn is_kept(savepoint: &str) -> bool {
    savepoint.get(..SAVEPOINTS.len()).is_some_and(|start| start.eq_ignore_ascii_case(SAVEPOINTS))
}

/// What setting a hook gives, in all versions of rusqlite.
trait Hooked {
    fn done(self) -> rusqlite::Result<()>;
}

impl Hooked for rusqlite::Result<()> {
    fn done(self) -> rusqlite::Result<()> {
        self
    }
}

impl Hooked for () {
    fn done(self) -> rusqlite::Result<()> {
        Ok(())
    }
}
