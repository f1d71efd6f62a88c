//! Observing: every call runs, duplicates are only counted and logged.

use super::Plan;
use crate::claim::{Claim, ClaimRequest};
use crate::observe as events;
use crate::outcome::{Carried, Outcome};
use crate::owner::OwnerToken;
use crate::record::{Epoch, RecordedValue};
use crate::report::Disposition;
use crate::scope;
use crate::store_error::StoreError;
use crate::write::{Change, OwnerWrite};

/// Runs `body` whatever the store says. The first call of a key is recorded as *protect* would record it, so
/// that switching to *protect* later finds usable records.
pub(crate) async fn observe<T, E, F>(plan: Plan, outcome: Outcome<T, E>, body: F) -> Result<T, E>
where
    F: Future<Output = Result<T, E>>,
{
    let claimed = claim(&plan).await;
    let duplicate = matches!(claimed, Ok(None));
    let result = body.await;
    let (result, change) = match result {
        Ok(value) => match outcome.carry(value) {
            Carried::Kept { value, bytes } => {
                (Ok(value), Change::Complete(RecordedValue::new(super::FIRST_VERSION, Some(bytes))))
            }
            Carried::NotKept { value, .. } => {
                (Ok(value), Change::Complete(RecordedValue::new(super::FIRST_VERSION, None)))
            }
        },
        Err(error) => (Err(error), Change::Release),
    };
    if let Ok(Some((owner, epoch))) = claimed {
        let now = plan.store.clock().now();
        let request = OwnerWrite::new(plan.key.clone(), owner, epoch, now, plan.ttl, change);
        if let Err(error) = plan.store.write(request).await {
            events::write_failed(&plan.name, &plan.key, &error);
        }
    }
    let disposition = Disposition::Observed { duplicate };
    events::ended(&plan.name, &plan.key, disposition);
    scope::report(|| plan.report(disposition));
    result
}

/// The claim, if this is the first call of the key; `None` for a duplicate.
async fn claim(plan: &Plan) -> Result<Option<(OwnerToken, Epoch)>, StoreError> {
    let attempt = async {
        let now = plan.store.clock().now();
        let owner = OwnerToken::draw(now)?;
        let lease_until = now.plus(plan.lease);
        let mut request = ClaimRequest::new(plan.key.clone(), owner, now, lease_until, plan.ttl);
        request.fingerprint = plan.fingerprint;
        request.skew_budget = plan.store.skew_budget();
        Ok(match plan.store.claim(request).await? {
            Claim::Acquired { epoch, .. } => Some((owner, epoch)),
            _ => None,
        })
    };
    attempt.await.inspect_err(|error| events::write_failed(&plan.name, &plan.key, error))
}
