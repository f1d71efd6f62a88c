//! Telling of decisions: the observer of the store handle, and the `tracing` and `metrics` facades, each behind the
//! feature of its name. Keys appear, payloads never; what nobody listens to costs nothing.

use crate::any_store::AnyStore;
use crate::event::{CallEvent, Decision};
use crate::key::IdempotencyKey;

/// Tells everybody who listens.
pub(crate) fn emit(
    store: Option<&AnyStore>,
    operation: &str,
    key: Option<&IdempotencyKey>,
    decision: Decision<'_>,
) {
    let event = CallEvent { operation, key, decision };
    #[cfg(feature = "tracing")]
    trace(&event);
    #[cfg(feature = "metrics")]
    count(&event);
    if let Some(observer) = store.and_then(AnyStore::observer) {
        observer.observe(&event);
    }
}

#[cfg(feature = "metrics")]
fn count(event: &CallEvent<'_>) {
    let operation = event.operation.to_owned();
    metrics::counter!(
        "idempotency.decisions",
        "idempotency.operation" => operation,
        "idempotency.decision" => event.decision.name()
    )
    .increment(1);
}

/// The level says how much a person must care.
#[cfg(feature = "tracing")]
fn trace(event: &CallEvent<'_>) {
    use tracing::{debug, error, info, warn};

    let CallEvent { operation, decision, .. } = *event;
    let key = event.key.map(tracing::field::display);
    let name = decision.name();
    macro_rules! tell {
        ($level:ident $(, $($field:tt)+)?) => {
            $level!(
                target: "idempotency",
                {
                    idempotency.operation = operation,
                    idempotency.key = key,
                    idempotency.decision = name
                    $(, $($field)+)?
                },
                "{name}"
            )
        };
    }
    match decision {
        Decision::Claimed { attempt, epoch, previous } => {
            tell!(debug, attempt, epoch = epoch.get(), ?previous);
        }
        Decision::TakenOver { attempt, epoch } => tell!(info, attempt, epoch = epoch.get()),
        Decision::Replayed { status, attempt, epoch } => {
            tell!(debug, %status, attempt, epoch = epoch.get());
        }
        Decision::InProgress { since, until } => tell!(debug, %since, %until),
        Decision::Mismatch { since } => tell!(warn, %since),
        Decision::Unknown { since } => tell!(error, %since),
        Decision::Expired { since } => tell!(debug, %since),
        Decision::Renewed { until } => tell!(debug, %until),
        Decision::StoreFailed { error } => tell!(error, %error),
        Decision::Reconciled { applied, by_hand } => tell!(info, applied, by_hand),
        Decision::Refused { kind } => tell!(warn, ?kind),
        Decision::VolatileField { field } => tell!(warn, field),
        Decision::Observed { duplicate: true } => tell!(warn, duplicate = true),
        Decision::Observed { duplicate: false } => tell!(debug, duplicate = false),
        Decision::LeaseLost
        | Decision::Fenced
        | Decision::NotKept
        | Decision::Dropped
        | Decision::Panicked
        | Decision::RanUnprotected => tell!(warn),
        Decision::ReleasedByHand | Decision::Evicted | Decision::MarkedCompleted => tell!(info),
        Decision::Waited
        | Decision::AlreadyCompleted
        | Decision::Announced
        | Decision::Completed
        | Decision::Released
        | Decision::Failed => tell!(debug),
    }
}
