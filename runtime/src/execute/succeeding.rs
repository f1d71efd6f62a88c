//! Recording a success.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use super::driver::{Closed, Driver};
use super::refuse;
use crate::error::ErrorKind;
use crate::event::Decision;
use crate::outcome::{Carried, Outcome};
use crate::policy::OnStoreError;
use crate::protocol::attempt::{Ending, Verdict};
use crate::record::RecordedValue;
use crate::report::Disposition;

/// A value as the caller gets it, and as it is recorded.
pub(super) struct Prepared<T> {
    pub(super) value: T,
    pub(super) encoded: Option<Arc<[u8]>>,
    pub(super) kept: bool,
    version: u32,
}

impl<T> Prepared<T> {
    pub(super) fn recorded(&self) -> RecordedValue {
        RecordedValue::new(self.version, self.encoded.clone().filter(|_| self.kept))
    }
}

impl Driver {
    /// Whether the store says that it takes a value of this length.
    pub(super) fn fits(&self, bytes: &[u8]) -> bool {
        let limit = self.plan.store.capabilities().max_value_bytes;
        limit.is_none_or(|limit| bytes.len() <= limit)
    }

    pub(super) fn prepare<T, E>(&self, value: T, outcome: &Outcome<T, E>) -> Prepared<T> {
        let version = outcome.own_version();
        match outcome.carry(value) {
            Carried::Kept { value, bytes } => {
                let kept = self.fits(&bytes);
                Prepared { value, encoded: Some(bytes), kept, version }
            }
            Carried::NotKept { value, encoded } => Prepared { value, encoded, kept: false, version },
        }
    }

    pub(super) async fn succeed<T, E>(&mut self, value: T, outcome: &Outcome<T, E>) -> Result<T, E> {
        let prepared = match catch_unwind(AssertUnwindSafe(|| self.prepare(value, outcome))) {
            Ok(prepared) => prepared,
            // The effect has happened: a panic of the result's own code must not make it happen again.
            Err(payload) => {
                let nothing = RecordedValue::new(outcome.own_version(), None);
                let _ = self.close(Verdict::NotKept, Some(nothing)).await;
                resume_unwind(payload)
            }
        };
        let verdict = if prepared.kept { Verdict::Succeeded } else { Verdict::NotKept };
        let error = match self.close(verdict, Some(prepared.recorded())).await {
            Closed::Own(ending) => {
                self.completed(ending);
                return Ok(prepared.value);
            }
            Closed::Another(record) => return self.replay(&record, outcome),
            Closed::Lost => self.plan.error(
                ErrorKind::LeaseLost,
                "the body succeeded, but its claim was gone: another owner had taken over, the record was removed, or its outcome \
                 had been declared unknown",
            ),
            Closed::Unsaved(_) if self.plan.on_store_error == OnStoreError::Run => {
                self.plan.tell(Decision::RanUnprotected);
                self.report(Disposition::Unprotected);
                return Ok(prepared.value);
            }
            Closed::Unsaved(cause) => self.unsaved(cause),
        };
        Err(refuse(&self.plan, error.with_unsaved(prepared.encoded), outcome))
    }

    fn completed(&mut self, ending: Ending) {
        if ending == Ending::CompleteNotKept {
            self.plan.tell(Decision::NotKept);
            self.report(Disposition::NotKept);
        } else {
            self.plan.tell(Decision::Completed);
            self.report(Disposition::Executed);
        }
    }
}
