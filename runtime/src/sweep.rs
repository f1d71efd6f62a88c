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
use crate::store_error::StoreError;

/// How many records are looked at together.
const PAGE: usize = 100;

/// A look at all unknown outcomes of one operation; see [`AnyStore::sweep`].
#[derive(Clone, Debug)]
pub struct Sweep {
    operation: Cow<'static, str>,
    ttl: Duration,
    lease: Duration,
    limit: usize,
}

impl Sweep {
    /// A sweep of the operation `name`, whose outcomes are kept for `ttl`.
    pub fn new(name: impl Into<Cow<'static, str>>, ttl: Duration) -> Self {
        Self { operation: name.into(), ttl, lease: DEFAULT_LEASE, limit: usize::MAX }
    }

    /// How long the probe of one outcome may take, plus the skew budget. Default: 30 s.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// At how many outcomes to look at most. Default: all.
    pub fn limit(mut self, outcomes: usize) -> Self {
        self.limit = outcomes;
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
    /// So many probes ended with an error.
    pub failed: usize,
}

impl Swept {
    fn count(&mut self, one: One) {
        *match one {
            One::Applied => &mut self.applied,
            One::NotApplied => &mut self.not_applied,
            One::StillUnknown => &mut self.still_unknown,
            One::Failed => &mut self.failed,
        } += 1;
    }

    fn total(&self) -> usize {
        self.applied + self.not_applied + self.still_unknown + self.failed
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
        let probe = ProbeFn::new(probe);
        let mut swept = Swept::default();
        for status in [Status::Unknown, Status::InProgress] {
            let mut list = self.list_of(&sweep.operation, status);
            loop {
                let page = self.list(list.clone()).await?;
                let Some(end) = page.last() else { break };
                list.after = Some(end.key.clone());
                for record in page.iter().filter(|record| self.may_be_unknown(record)) {
                    if swept.total() >= sweep.limit {
                        return Ok(swept);
                    }
                    swept.count(sweep_one(self.plan(&sweep, record), outcome, &probe).await);
                }
            }
        }
        Ok(swept)
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
            tombstone: Duration::ZERO,
            lease: sweep.lease,
            deadline: None,
            wait: None,
            completed: Completed::Replay,
            on_crash: OnCrash::Rerun,
            on_expired: OnExpired::Run,
            on_store_error: OnStoreError::Reject,
            store: self.clone(),
            volatile: None,
        })
    }
}
