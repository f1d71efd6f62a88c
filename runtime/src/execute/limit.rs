//! The bound on every answer of the store: a caller never hangs on one that does not answer.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use super::Plan;
use crate::clock::Sleep;
use crate::store_error::{StoreError, StoreErrorKind};

/// What `future` gives, or `None` if `end` comes first.
pub(super) async fn or_after<T>(end: Sleep, future: impl Future<Output = T>) -> Option<T> {
    let (mut end, mut future) = (end, pin!(future));
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(result) => Poll::Ready(Some(result)),
        Poll::Pending => end.as_mut().poll(cx).map(|()| None),
    })
    .await
}

/// One timer for all store calls of an attempt. Setting a timer costs as much as a small write, for it wakes whatever
/// drives the timers of the process; so the timer of an earlier call that was answered in time is used again, and
/// when it ends early it is set for what is left.
#[derive(Default)]
pub(super) struct Limit {
    timer: Option<Sleep>,
}

impl Limit {
    /// The answer of the store, or an error if there is none within one lease.
    pub(super) async fn within_lease<T>(
        &mut self,
        plan: &Plan,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let clock = plan.store.clock();
        let mut call = pin!(call);
        let mut due = None;
        poll_fn(|cx| {
            if let Poll::Ready(answer) = call.as_mut().poll(cx) {
                return Poll::Ready(answer);
            }
            let due: Duration = *due.get_or_insert_with(|| clock.monotonic().saturating_add(plan.lease));
            loop {
                let timer = self.timer.get_or_insert_with(|| clock.limit(plan.lease));
                if timer.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                let left = due.saturating_sub(clock.monotonic());
                if left.is_zero() {
                    self.timer = None;
                    let message =
                        format!("the store {} did not answer within the lease", plan.store.identity());
                    return Poll::Ready(Err(StoreError::new(StoreErrorKind::Unavailable, message)));
                }
                self.timer = Some(clock.limit(left));
            }
        })
        .await
    }
}
