//! Finding out what became of all unknown outcomes of an operation.

use std::borrow::Cow;
use std::time::Duration;

use crate::admin::operation_of;
use crate::any_store::AnyStore;
use crate::claim::OnExpired;
use crate::execute::{Plan, Swept as One, sweep_one};
use crate::operation::DEFAULT_LEASE;
use crate::outcome::Outcome;
use crate::policy::{Completed, OnStoreError};
use crate::probe::{ProbeFn, Reconciled, UnknownOutcome};
use crate::record::{OnCrash, Record, Status};
use crate::store::ListRequest;
use crate::store_error::{StoreError, StoreErrorKind};

/// How many records are looked at together.
const PAGE: usize = 100;

/// A look at all unknown outcomes of one operation; see [`AnyStore::sweep`].
#[derive(Clone, Debug)]
pub struct Sweep {
    operation: Cow<'static, str>,
    ttl: Duration,
    lease: Duration,
    tombstone: Duration,
    effect_timeout: Duration,
}

impl Sweep {
    /// A sweep of the operation `name`, whose outcomes are kept for `ttl`.
    pub fn new(name: impl Into<Cow<'static, str>>, ttl: Duration) -> Self {
        Self {
            operation: name.into(),
            ttl,
            lease: DEFAULT_LEASE,
            tombstone: Duration::ZERO,
            effect_timeout: Duration::ZERO,
        }
    }

    /// How long the probe of one outcome may take, plus the skew budget. Default: 30 s.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// How long after the TTL a record is still kept, as the operation says. Default: not at all.
    pub fn tombstone(mut self, kept: Duration) -> Self {
        self.tombstone = kept;
        self
    }

    /// How long an effect may still be under way after its owner's lease, as the operation says. Default: zero.
    pub fn effect_timeout(mut self, timeout: Duration) -> Self {
        self.effect_timeout = timeout;
        self
    }
}

/// What a sweep has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Swept {
    /// So many effects had happened; their outcomes are recorded.
    pub applied: usize,
    /// So many had not; the next call runs the body.
    pub not_applied: usize,
    /// So many are still unknown, for example because somebody else is finding out.
    pub still_unknown: usize,
    /// So many attempts had failed for good; their errors are recorded.
    pub failed: usize,
    /// So many probes panicked, or ended with an error that is not terminal, or their findings could not be recorded.
    pub errors: usize,
}

impl Swept {
    fn count(&mut self, one: One) {
        *match one {
            One::Applied => &mut self.applied,
            One::NotApplied => &mut self.not_applied,
            One::StillUnknown => &mut self.still_unknown,
            One::Failed => &mut self.failed,
            One::Error => &mut self.errors,
        } += 1;
    }
}

impl AnyStore {
    /// Asks `probe` about every unknown outcome of an operation, one after the other, each for no longer than a lease;
    /// attempts that died after they had announced their effect are among them. Run it now and then, from one place:
    /// nothing else frees a key that nobody asks for again. `outcome` says how results are recorded, as for
    /// [`Operation::run_as`](crate::Operation::run_as).
    ///
    /// It needs a store that can list its records ([`Capabilities::listing`](crate::Capabilities::listing)).
    pub async fn sweep<T, E, P, A>(
        &self,
        sweep: Sweep,
        outcome: &Outcome<T, E>,
        probe: P,
    ) -> Result<Swept, StoreError>
    where
        P: Fn(UnknownOutcome) -> A,
        A: Future<Output = Result<Reconciled<T>, E>>,
    {
        self.check_ttl(sweep.ttl)?;
        if sweep.lease < self.skew_budget() * 2 {
            let message = format!(
                "the lease of {} is too short for a sweep: a probe gets what is left of it after the skew budget of {}",
                humantime::format_duration(sweep.lease),
                humantime::format_duration(self.skew_budget())
            );
            return Err(StoreError::new(StoreErrorKind::Misconfigured, message));
        }
        let probe = ProbeFn::new(probe);
        let mut swept = Swept::default();
        for status in [Status::Unknown, Status::InProgress] {
            let mut list = self.list_of(&sweep.operation, status);
            loop {
                let page = self.list(list.clone()).await?;
                let Some(end) = page.last() else { break };
                list.after = Some(end.key.clone());
                for record in page.iter().filter(|record| self.may_be_unknown(record)) {
                    swept.count(sweep_one(self.plan(&sweep, record), outcome, &probe).await);
                }
            }
        }
        Ok(swept)
    }

    /// The records of an operation whose outcome is unknown, in the order of their keys; attempts that died after they
    /// had announced their effect are among them, which [`AnyStore::list`] shows as *in progress* until somebody asks
    /// for their keys. What to do about them: [`AnyStore::sweep`], [`AnyStore::resolve`].
    ///
    /// It needs a store that can list its records.
    pub async fn unknown(&self, operation: &str) -> Result<Vec<Record>, StoreError> {
        let mut unknown = Vec::new();
        for status in [Status::Unknown, Status::InProgress] {
            let mut list = self.list_of(operation, status);
            loop {
                let page = self.list(list.clone()).await?;
                let Some(end) = page.last() else { break };
                list.after = Some(end.key.clone());
                unknown.extend(page.into_iter().filter(|record| self.may_be_unknown(record)));
            }
        }
        unknown.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(unknown)
    }

    fn list_of(&self, operation: &str, status: Status) -> ListRequest {
        let namespace = self.namespace().map_or_else(String::new, |namespace| format!("{namespace}/"));
        ListRequest {
            prefix: format!("{namespace}{operation}:"),
            status: Some(status),
            after: None,
            limit: PAGE,
        }
    }

    fn may_be_unknown(&self, record: &Record) -> bool {
        record.status == Status::Unknown
            || (record.holds_after_crash() && record.lease_is_dead(self.clock().now(), self.skew_budget()))
    }

    fn plan(&self, sweep: &Sweep, record: &Record) -> Box<Plan> {
        Box::new(Plan {
            name: Cow::Owned(operation_of(&record.key).to_owned()),
            key: record.key.clone(),
            // The one that is recorded counts.
            fingerprint: record.fingerprint,
            ttl: sweep.ttl,
            tombstone: sweep.tombstone,
            lease: sweep.lease,
            deadline: None,
            wait: None,
            completed: Completed::Replay,
            on_crash: OnCrash::Rerun,
            on_expired: OnExpired::Run,
            effect_timeout: sweep.effect_timeout,
            on_store_error: OnStoreError::Reject,
            store: self.clone(),
            volatile: None,
        })
    }
}
