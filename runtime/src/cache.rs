//! A cache of final outcomes in this process, in front of a store (feature `cache`).

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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
    /// How often something was forgotten: a record that was read before must not come in after.
    forgotten: AtomicU64,
}

#[derive(Clone)]
struct Kept {
    record: Arc<Record>,
    /// On the monotonic clock of the handle.
    since: Duration,
}

impl LocalCache {
    pub(crate) fn new(entries: usize, max_age: Duration) -> Self {
        Self { records: Cache::new(entries), max_age, forgotten: AtomicU64::new(0) }
    }

    /// To be asked for before the store is, and handed to [`LocalCache::put`] with what it answered.
    pub(crate) fn generation(&self) -> u64 {
        self.forgotten.load(Ordering::SeqCst)
    }

    /// Nothing that may still change gets in, and nothing that was read before something was forgotten.
    pub(crate) fn put(&self, place: Place, record: &Record, generation: u64, now: Duration) {
        if record.status.is_final() && self.generation() == generation {
            let kept = Kept { record: Arc::new(record.clone()), since: now };
            self.records.insert((place, record.key.clone()), kept);
            if self.generation() != generation {
                self.records.remove(&(place, record.key.clone()));
            }
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

    pub(crate) fn forget(&self, place: Place, key: &IdempotencyKey) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        self.records.remove(&(place, key.clone()));
    }
}

impl fmt::Debug for LocalCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalCache").field("max_age", &self.max_age).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::owner::OwnerToken;
    use crate::record::{Epoch, Status};
    use crate::registry;
    use crate::time::Timestamp;

    #[test]
    fn a_record_that_was_read_before_something_was_forgotten_does_not_come_in_after() {
        let cache = LocalCache::new(10, Duration::from_secs(60));
        let place = registry::place("memory:cache", None);
        let key = IdempotencyKey::from_stored("charge:1");
        let now = Timestamp::from_millis(1);
        let owner = OwnerToken::from_bytes([1; 16]);
        let mut record = Record::claimed(key.clone(), owner, Epoch::new(1), now, now);
        record.status = Status::Completed;
        let before = cache.generation();
        cache.forget(place, &key);
        cache.put(place, &record, before, Duration::ZERO);
        assert!(cache.get(place, &key, Duration::ZERO).is_none());
        cache.put(place, &record, cache.generation(), Duration::ZERO);
        assert!(cache.get(place, &key, Duration::ZERO).is_some());
    }
}
