//! What happens in the background, as events of the `tracing` facade. Without the feature nothing is told.

use idempotency_runtime::StoreError;

/// A purge is over.
pub(super) fn removed(path: &str, records: usize) {
    #[cfg(feature = "tracing")]
    tracing::debug!(target: "idempotency", store = path, records, "forgotten records removed");
    #[cfg(not(feature = "tracing"))]
    let _ = (path, records);
}

/// Nobody waits for the answer; it is tried again later.
pub(super) fn failed(path: &str, what: &str, error: &StoreError) {
    #[cfg(feature = "tracing")]
    tracing::warn!(target: "idempotency", store = path, error = %error, "{what} failed");
    #[cfg(not(feature = "tracing"))]
    let _ = (path, what, error);
}
