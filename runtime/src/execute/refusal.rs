//! What a caller is told that does not get an outcome.

use std::time::Duration;

use super::driver::{Driver, Opening};
use crate::claim::Claim;
use crate::error::{Error, ErrorKind};
use crate::policy::OnStoreError;
use crate::protocol::attempt::{Answer, Stopped};
use crate::store_error::{StoreError, StoreErrorKind};
use crate::time::Timestamp;

impl Driver {
    pub(super) fn not_opened(
        &mut self,
        answer: Answer,
        found: Option<Claim>,
        failure: Option<StoreError>,
    ) -> Opening {
        self.tell_waited();
        let plan = &self.plan;
        let error = match (answer, found) {
            (Answer::DeadlineTooNear, _) => plan
                .error(
                    ErrorKind::DeadlineTooNear,
                    "the deadline is nearer than the skew budget, so no lease fits before it; the body did not run",
                )
                .with_until(plan.deadline.unwrap_or_default()),
            // Nobody is known to be running the body.
            (Answer::StoreFailed, None) if plan.on_store_error == OnStoreError::Run => match failure {
                Some(failure) if may_run_without(failure.kind()) => return Opening::Unprotected(failure),
                failure => self.store_failed(failure),
            },
            (Answer::StoreFailed, _) => self.store_failed(failure),
            (Answer::Found, Some(Claim::Final(record))) => {
                self.keep((*record).clone());
                return Opening::Replay(record);
            }
            (Answer::Found, Some(claim)) => self.refusal(&claim),
            _ => plan.error(
                ErrorKind::LeaseLost,
                "the store's answer to the claim came too late to act on; the body did not run",
            ),
        };
        Opening::Refuse(error)
    }

    fn store_failed(&self, failure: Option<StoreError>) -> Error {
        match failure {
            Some(failure) => Error::from_store(self.plan.name.clone(), failure).with_key(&self.plan.key),
            None => self.plan.error(ErrorKind::Store, "the store did not answer"),
        }
    }

    pub(super) fn refusal(&self, claim: &Claim) -> Error {
        let plan = &self.plan;
        match *claim {
            Claim::InProgress { since, lease_until } => plan
                .error(ErrorKind::InProgress, "another call with this key is running")
                .with_since(since)
                .with_until(lease_until)
                .with_retry_after(self.pause_until_free(lease_until)),
            Claim::Mismatch { since, status } => {
                let detail = format!(
                    "the key was used for another request, which is {}; send a repeated request unchanged, or a \
                     new one under a new key{}",
                    status.as_str().replace('_', " "),
                    volatile_hint(plan.volatile)
                );
                plan.error(ErrorKind::Mismatch, detail).with_since(since)
            }
            Claim::Expired { since } => {
                plan.error(ErrorKind::Expired, "the outcome is no longer kept").with_since(since)
            }
            Claim::Unknown { since, lease_until } => self.unknown(since, lease_until),
            Claim::OwnerUsed | Claim::Acquired { .. } | Claim::Probe { .. } | Claim::Final(_) => {
                let fault =
                    StoreError::new(StoreErrorKind::Other, "the store took every new owner for an old one");
                Error::from_store(plan.name.clone(), fault).with_key(&plan.key)
            }
        }
    }

    fn unknown(&self, since: Timestamp, lease_until: Timestamp) -> Error {
        if !self.probes {
            let detail = "nobody knows whether the effect of an earlier attempt happened; give the operation a \
                          `reconcile` that finds out, or look yourself and say so with `resolve` on the store handle";
            return self.plan.error(ErrorKind::Unknown, detail).with_since(since);
        }
        let detail = "nobody knows yet whether the effect of an earlier attempt happened; from the end of that \
                      attempt's lease and its effect timeout on, the operation's `reconcile` finds out, for one \
                      caller at a time";
        let until = lease_until.plus(self.plan.effect_timeout);
        self.plan
            .error(ErrorKind::Unknown, detail)
            .with_since(since)
            .with_until(until)
            .with_retry_after(self.pause_until_free(until))
    }

    /// From now on until the end of this lease may be relied on by others.
    pub(super) fn pause_until_free(&self, lease_until: Timestamp) -> Duration {
        let free_at = lease_until.plus(self.plan.store.skew_budget());
        free_at.since(self.now.wall).max(Duration::from_millis(1))
    }

    pub(super) fn stopped(&self, why: Stopped) -> Error {
        let detail = match why {
            Stopped::Refused => {
                "the renewal of the lease was refused: another owner has taken over or the record was removed; \
                 the body was stopped"
            }
            Stopped::NotRenewed => {
                "no renewal of the lease was acknowledged in time, for example because the process stood still \
                 or the store did not answer; the body was stopped"
            }
        };
        self.plan.error(ErrorKind::LeaseLost, detail)
    }

    pub(super) fn unsaved(&self, cause: Option<StoreError>) -> Error {
        let detail =
            "the body succeeded, but its outcome could not be recorded; calling again would run it again";
        let error = self.plan.error(ErrorKind::Store, detail);
        match cause {
            Some(cause) => error.with_store_source(cause),
            None => error,
        }
    }
}

/// A record that is there and cannot be read may say *completed*; and a set-up that is wrong wants to be seen.
fn may_run_without(kind: StoreErrorKind) -> bool {
    !matches!(kind, StoreErrorKind::Corrupt | StoreErrorKind::NewerFormat | StoreErrorKind::Misconfigured)
}

fn volatile_hint(field: Option<&str>) -> String {
    field.map_or_else(String::new, |field| {
        format!(
            "; the comparison includes `{field}`, which looks as if it changed with every try: if so, exclude it \
             from `validate`"
        )
    })
}
