//! Answering a duplicate from the record.

use super::driver::Driver;
use super::refuse;
use crate::error::{Error, ErrorKind};
use crate::event::Decision;
use crate::outcome::{CodecError, Outcome};
use crate::policy::Completed;
use crate::record::{Record, RecordedValue, Status};
use crate::report::{Disposition, Report};
use crate::scope;
use crate::time::Timestamp;

impl Driver {
    /// The recorded outcome, for a duplicate.
    pub(super) fn replay<T, E>(&self, record: &Record, outcome: &Outcome<T, E>) -> Result<T, E> {
        match self.recorded(record, outcome) {
            Ok(result) => {
                let Record { status, attempt, epoch, .. } = *record;
                self.plan.tell(Decision::Replayed { status, attempt, epoch });
                scope::report(|| Report {
                    attempt: Some(record.attempt),
                    epoch: Some(record.epoch),
                    completed_at: record.completed_at,
                    expires_at: record.expires_at,
                    ..self.plan.report(Disposition::Replayed)
                });
                result
            }
            Err(error) => Err(refuse(&self.plan, error, outcome)),
        }
    }

    /// The body's result as it was recorded; the outer error says why there is none.
    fn recorded<T, E>(&self, record: &Record, outcome: &Outcome<T, E>) -> Result<Result<T, E>, Error> {
        let since = record.completed_at.unwrap_or(record.claimed_at);
        if self.plan.completed == Completed::Reject {
            let detail = "it is completed already, and this caller asked not to get the outcome again";
            return Err(self.plan.error(ErrorKind::AlreadyCompleted, detail).with_since(since));
        }
        let Some(value) = &record.value else {
            let detail = "the record says completed and holds no value";
            return Err(self.plan.error(ErrorKind::Corrupt, detail).with_since(since));
        };
        let Some(bytes) = &value.bytes else {
            let detail = if record.status == Status::Failed {
                "it has failed for good, but its error was too large for the store or could not be carried back"
            } else {
                "it is completed, but its value was too large for the store or could not be carried back"
            };
            return Err(self.plan.error(ErrorKind::ValueNotKept, detail).with_since(since));
        };
        if record.status == Status::Failed {
            return self.recorded_error(bytes, since, outcome).map(Err);
        }
        outcome
            .replay(value.version, bytes)
            .map(Ok)
            .map_err(|error| self.unreadable(value, bytes.len(), since, &error))
    }

    fn recorded_error<T, E>(
        &self,
        bytes: &[u8],
        since: Timestamp,
        outcome: &Outcome<T, E>,
    ) -> Result<E, Error> {
        let Some(classes) = outcome.classes() else {
            let detail = "it has failed for good, and its error type no longer says how such errors are read: \
                          derive `Classify` on it";
            return Err(self.plan.error(ErrorKind::Codec, detail).with_since(since));
        };
        classes.decode(bytes).map_err(|error| {
            let detail = format!(
                "the recorded error of {} bytes cannot be read as this operation's error type ({error})",
                bytes.len()
            );
            self.plan.error(ErrorKind::Codec, detail).with_since(since)
        })
    }

    fn unreadable(
        &self,
        value: &RecordedValue,
        length: usize,
        since: Timestamp,
        error: &CodecError,
    ) -> Error {
        let detail = format!(
            "the recorded value of {length} bytes and version {} cannot be read as this operation's result type \
             ({error}); where the type has changed, give new fields `#[serde(default)]`, or the operation a new \
             `version` with a `migrate` that reads the old ones",
            value.version
        );
        self.plan.error(ErrorKind::Codec, detail).with_since(since)
    }
}
