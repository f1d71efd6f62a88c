//! A cache of final outcomes in this process, in front of a store (feature `cache`).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;

use crate::key::IdempotencyKey;
use crate::record::Record;
use crate::registry::Place;

/// What is kept of the outcomes that this process has written or read; see
/// [`AnyStore::with_cache`](crate::AnyStore::with_cache).
pub(crate) struct LocalCache {
    records: Cache<(Place, IdempotencyKey), Kept>,
    max_age: Duration,
}

#[derive(Clone)]
struct Kept {
    record: Arc<Record>,
    /// On the monotonic clock of the handle.
    since: Duration,
}

impl LocalCache {
    pub(crate) fn new(entries: usize, max_age: Duration) -> Self {
        Self { records: Cache::new(entries), max_age }
    }

    /// Nothing that may still change gets in.
    pub(crate) fn put(&self, place: Place, record: &Record, now: Duration) {
        if record.status.is_final() {
            let kept = Kept { record: Arc::new(record.clone()), since: now };
            self.records.insert((place, record.key.clone()), kept);
        }
    }

    pub(crate) fn get(&self, place: Place, key: &IdempotencyKey, now: Duration) -> Option<Arc<Record>> {
        let at = (place, key.clone());
        let kept = self.records.get(&at)?;
        if now.saturating_sub(kept.since) > self.max_age {
            self.records.remove(&at);
            return None;
        }
        Some(kept.record)
    }

    pub(crate) fn remove(&self, place: Place, key: &IdempotencyKey) {
        self.records.remove(&(place, key.clone()));
    }
}

impl fmt::Debug for LocalCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalCache").field("max_age", &self.max_age).finish_non_exhaustive()
    }
}
