//! The bound on every answer of the store: a caller never hangs on one that does not answer.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use crate::any_store::AnyStore;
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
    /// The answer of the store, or an error if there is none within a quarter of what an owner trusts of a lease. A
    /// request or its answer can be lost without anybody noticing: there must be time left to ask again before
    /// somebody else may take over.
    pub(super) async fn answer<T>(
        &mut self,
        store: &AnyStore,
        lease: Duration,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let clock = store.clock();
        let limit = lease.saturating_sub(store.skew_budget()) / 4;
        let mut call = pin!(call);
        let mut due = None;
        poll_fn(|cx| {
            if let Poll::Ready(answer) = call.as_mut().poll(cx) {
                return Poll::Ready(answer);
            }
            let due: Duration = *due.get_or_insert_with(|| clock.monotonic().saturating_add(limit));
            loop {
                let timer = self.timer.get_or_insert_with(|| clock.limit(limit));
                if timer.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                let left = due.saturating_sub(clock.monotonic());
                if left.is_zero() {
                    self.timer = None;
                    let message = format!("the store {} did not answer within {limit:?}", store.identity());
                    return Poll::Ready(Err(StoreError::new(StoreErrorKind::Unavailable, message)));
                }
                self.timer = Some(clock.limit(left));
            }
        })
        .await
    }
}
