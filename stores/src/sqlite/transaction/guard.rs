//! Keeps the caller's statements from ending the transaction that they run in.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

/// What the names of all savepoints begin with that the caller's statements must leave alone.
pub(super) const SAVEPOINTS: &str = "idempotency_operation_";

/// Whether statements of the caller are running, and whether one of them was refused.
#[derive(Debug, Default)]
pub(in super::super) struct Guard {
    running: AtomicBool,
    refused: AtomicBool,
}

impl Guard {
    /// Runs statements of the caller; `true`: one of them wanted to begin or end a transaction.
    pub(super) fn run<R>(&self, work: impl FnOnce() -> R) -> (R, bool) {
        self.running.store(true, Ordering::Relaxed);
        let result = work();
        self.running.store(false, Ordering::Relaxed);
        (result, self.refused.swap(false, Ordering::Relaxed))
    }

    /// What SQLite asks about every statement that is prepared.
    pub(in super::super) fn authorizer(
        self: &Arc<Self>,
    ) -> impl FnMut(AuthContext<'_>) -> Authorization + Send + 'static {
        let guard = self.clone();
        move |context| {
            let ends = match context.action {
                AuthAction::Transaction { .. } => true,
                AuthAction::Savepoint { savepoint_name, .. } => savepoint_name.starts_with(SAVEPOINTS),
                _ => false,
            };
            if ends && guard.running.load(Ordering::Relaxed) {
                guard.refused.store(true, Ordering::Relaxed);
                return Authorization::Deny;
            }
            Authorization::Allow
        }
    }
}
