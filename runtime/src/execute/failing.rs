//! What is recorded about a body that failed or panicked.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::driver::{Closed, Driver};
use crate::error::ErrorKind;
use crate::event::Decision;
use crate::outcome::{ErrorClass, FIRST_VERSION, Outcome};
use crate::protocol::attempt::{Ending, Verdict};
use crate::record::RecordedValue;
use crate::report::Disposition;

impl Driver {
    /// The caller gets the body's own error, whatever becomes of what is recorded about it; only where another owner
    /// has finished, its outcome is the answer.
    pub(super) async fn fail<T, E>(&mut self, error: E, outcome: &Outcome<T, E>) -> Result<T, E> {
        let (verdict, value) = match catch_unwind(AssertUnwindSafe(|| self.verdict(&error, outcome))) {
            Ok(verdict) => verdict,
            // Nobody says what the error means: it is as if the body had panicked.
            Err(payload) => {
                self.panicked().await;
                resume_unwind(payload)
            }
        };
        match self.close(verdict, value).await {
            Closed::Another(record) => return self.replay(&record, outcome),
            closed => self.failed(&closed),
        }
        Err(error)
    }

    pub(super) fn verdict<T, E>(
        &self,
        error: &E,
        outcome: &Outcome<T, E>,
    ) -> (Verdict, Option<RecordedValue>) {
        let Some(classes) = outcome.classes() else { return (Verdict::Unclassified, None) };
        match classes.class(error) {
            ErrorClass::Retryable => (Verdict::Retryable, None),
            ErrorClass::Unknown => (Verdict::Unknown, None),
            ErrorClass::Terminal => {
                // Errors have no version of their own: `migrate` reads results.
                // A panic of the error's own code must not make the body run again.
                let bytes = catch_unwind(AssertUnwindSafe(|| classes.encode(error))).ok().flatten();
                let bytes = bytes.filter(|bytes| self.fits(bytes));
                let verdict = if bytes.is_some() { Verdict::Failed } else { Verdict::FailedNotKept };
                (verdict, Some(RecordedValue::new(FIRST_VERSION, bytes)))
            }
        }
    }

    fn failed(&self, closed: &Closed) {
        match closed {
            Closed::Own(Ending::Fail) => self.tell_and_report(Decision::Failed, Disposition::Failed),
            Closed::Own(Ending::FailNotKept) => {
                self.plan.tell(Decision::NotKept);
                self.tell_and_report(Decision::Failed, Disposition::Failed);
            }
            Closed::Own(Ending::MarkUnknown) => self.now_unknown(),
            Closed::Own(_) => self.tell_and_report(Decision::Released, Disposition::Released),
            // What came of the write has been told.
            Closed::Lost | Closed::Another(_) => self.report(Disposition::Refused(ErrorKind::LeaseLost)),
            Closed::Unsaved(_) => self.report(Disposition::Refused(ErrorKind::Store)),
        }
    }

    /// A panic releases the key at once, unless nobody knows whether the effect happened.
    pub(super) async fn panicked(&mut self) {
        let closed = self.close(Verdict::Panicked, None).await;
        if matches!(closed, Closed::Own(Ending::MarkUnknown)) {
            self.plan.tell(Decision::Unknown { since: self.claimed_at });
        }
        self.tell_and_report(Decision::Panicked, Disposition::Panicked);
    }

    fn now_unknown(&self) {
        self.tell_and_report(Decision::Unknown { since: self.claimed_at }, Disposition::Unknown);
    }

    fn tell_and_report(&self, decision: Decision<'_>, disposition: Disposition) {
        self.plan.tell(decision);
        self.report(disposition);
    }
}
