//! Observing: every call runs, duplicates are only counted and logged.

use super::Plan;
use super::driver::Driver;
use crate::claim::Claim;
use crate::event::Decision;
use crate::outcome::Outcome;
use crate::owner::OwnerToken;
use crate::protocol::attempt::Verdict;
use crate::record::{Epoch, RecordedValue};
use crate::report::Disposition;
use crate::scope;
use crate::store_error::StoreError;
use crate::write::{Change, OwnerWrite};

/// Runs `body` whatever the store says. The first call of a key is recorded as *protect* would record it, so
/// that switching to *protect* later finds usable records; but its lease is not renewed, and an effect that the body
/// announces is not recorded.
pub(crate) async fn observe<T, E, F>(plan: Box<Plan>, outcome: Outcome<T, E>, body: F) -> Result<T, E>
where
    F: Future<Output = Result<T, E>>,
{
    let mut driver = Driver::new(plan, None, false);
    let claimed = claim(&mut driver).await;
    let duplicate = matches!(claimed, Ok(None));
    let result = scope::unrecorded(driver.plan.store.place(), &driver.plan.key, body).await;
    let (result, change) = match result {
        Ok(value) => {
            let prepared = driver.prepare(value, &outcome);
            let change = Change::Complete(prepared.recorded());
            (Ok(prepared.value), change)
        }
        Err(error) => {
            let (verdict, value) = driver.verdict(&error, &outcome);
            (Err(error), failure(verdict, value))
        }
    };
    if let Ok(Some((owner, epoch))) = claimed {
        record(&mut driver, owner, epoch, change).await;
    }
    let plan = &driver.plan;
    plan.tell(Decision::Observed { duplicate });
    scope::report(|| plan.report(Disposition::Observed { duplicate }));
    result
}

fn failure(verdict: Verdict, value: Option<RecordedValue>) -> Change {
    match (verdict, value) {
        (Verdict::Failed | Verdict::FailedNotKept, Some(value)) => Change::Fail(value),
        (Verdict::Unknown, _) => Change::MarkUnknown,
        _ => Change::Release,
    }
}

/// The claim, if this is the first call of the key; `None` for a duplicate. A store that does not answer does not keep
/// the body from running.
async fn claim(driver: &mut Driver) -> Result<Option<(OwnerToken, Epoch)>, StoreError> {
    let Driver { plan, limit, .. } = driver;
    let attempt = async {
        let now = plan.store.clock().now();
        let owner = OwnerToken::draw(now)?;
        let request = plan.claim(owner, now, now.plus(plan.lease));
        let claim = limit.answer(&plan.store, plan.lease, plan.store.claim(request)).await?;
        Ok(match claim {
            Claim::Acquired { epoch, .. } => Some((owner, epoch)),
            _ => None,
        })
    };
    attempt.await.inspect_err(|error| plan.tell(Decision::StoreFailed { error }))
}

async fn record(driver: &mut Driver, owner: OwnerToken, epoch: Epoch, change: Change) {
    let Driver { plan, limit, .. } = driver;
    let now = plan.store.clock().now();
    let mut request = OwnerWrite::new(plan.key.clone(), owner, epoch, now, plan.ttl, change);
    request.tombstone = plan.tombstone;
    if let Err(error) = limit.answer(&plan.store, plan.lease, plan.store.write(request)).await {
        plan.tell(Decision::StoreFailed { error: &error });
    }
}
