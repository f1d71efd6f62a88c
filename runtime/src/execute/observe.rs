//! Observing: every call runs, duplicates are only counted and logged.

use super::Plan;
use crate::claim::Claim;
use crate::event::Decision;
use crate::outcome::{Carried, Outcome};
use crate::owner::OwnerToken;
use crate::record::{Epoch, RecordedValue};
use crate::report::Disposition;
use crate::scope;
use crate::store_error::StoreError;
use crate::write::{Change, OwnerWrite};

/// Runs `body` whatever the store says. The first call of a key is recorded as *protect* would record it, so
/// that switching to *protect* later finds usable records.
pub(crate) async fn observe<T, E, F>(plan: Box<Plan>, outcome: Outcome<T, E>, body: F) -> Result<T, E>
where
    F: Future<Output = Result<T, E>>,
{
    let claimed = claim(&plan).await;
    let duplicate = matches!(claimed, Ok(None));
    let result = scope::unrecorded(plan.store.place(), &plan.key, body).await;
    let (result, change) = match result {
        Ok(value) => match outcome.carry(value) {
            Carried::Kept { value, bytes } => {
                (Ok(value), Change::Complete(RecordedValue::new(outcome.own_version(), Some(bytes))))
            }
            Carried::NotKept { value, .. } => {
                (Ok(value), Change::Complete(RecordedValue::new(outcome.own_version(), None)))
            }
        },
        Err(error) => (Err(error), Change::Release),
    };
    if let Ok(Some((owner, epoch))) = claimed {
        let now = plan.store.clock().now();
        let request = OwnerWrite::new(plan.key.clone(), owner, epoch, now, plan.ttl, change);
        if let Err(error) = plan.store.write(request).await {
            plan.tell(Decision::StoreFailed { error: &error });
        }
    }
    let disposition = Disposition::Observed { duplicate };
    plan.tell(Decision::Observed { duplicate });
    scope::report(|| plan.report(disposition));
    result
}

/// The claim, if this is the first call of the key; `None` for a duplicate.
async fn claim(plan: &Plan) -> Result<Option<(OwnerToken, Epoch)>, StoreError> {
    let attempt = async {
        let now = plan.store.clock().now();
        let owner = OwnerToken::draw(now)?;
        let lease_until = now.plus(plan.lease);
        Ok(match plan.store.claim(plan.claim(owner, now, lease_until)).await? {
            Claim::Acquired { epoch, .. } => Some((owner, epoch)),
            _ => None,
        })
    };
    attempt.await.inspect_err(|error| plan.tell(Decision::StoreFailed { error }))
}
