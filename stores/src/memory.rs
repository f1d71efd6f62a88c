//! The store in memory: for one process, for tests, and the reference for all other stores.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use idempotency_runtime::{
    Capabilities, Claim, ClaimRequest, DEFAULT_SKEW_BUDGET, Durability, Evict, IdempotencyKey, ListRequest,
    OwnerWrite, Record, Status, Store, StoreError, StoreErrorKind, Timestamp, Written, protocol,
};
use indexmap::IndexMap;

/// Records in the memory of this process. Clones share the records; nothing survives the process.
///
/// The number of records is bounded, by default to [`MemoryStore::DEFAULT_CAPACITY`]. Room is made only by
/// removing records whose retention is over: every new record looks at two others, and a full store at all of
/// them. If all are still needed, a claim of a new key is refused with [`StoreErrorKind::Full`], for forgetting
/// an outcome would run its body again; keys that have a record go on being served.
#[derive(Clone)]
pub struct MemoryStore {
    inner: Arc<Inner>,
}

/// Builds a [`MemoryStore`].
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build`"]
pub struct MemoryStoreBuilder {
    capacity: usize,
}

impl MemoryStoreBuilder {
    /// The largest number of records, in progress and finished ones together.
    pub fn capacity(mut self, records: usize) -> Self {
        self.capacity = records;
        self
    }

    /// A new, empty store.
    pub fn build(self) -> MemoryStore {
        static STORES: AtomicU64 = AtomicU64::new(1);
        let inner = Inner {
            identity: format!("memory:{}", STORES.fetch_add(1, Ordering::Relaxed)),
            capacity: self.capacity,
            records: AtomicUsize::new(0),
            hasher: RandomState::new(),
            shards: Default::default(),
            sweeping: Mutex::new(()),
            sweep_from: AtomicU64::new(0),
        };
        MemoryStore { inner: Arc::new(inner) }
    }
}

impl MemoryStore {
    /// The bound of a store whose builder names none, in records.
    pub const DEFAULT_CAPACITY: usize = 1_000_000;

    /// A new, empty store with the default bound.
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// Builds a store with another bound.
    pub fn builder() -> MemoryStoreBuilder {
        MemoryStoreBuilder { capacity: Self::DEFAULT_CAPACITY }
    }

    /// How many records it holds, those whose retention is over included.
    pub fn len(&self) -> usize {
        self.inner.records.load(Ordering::Relaxed)
    }

    /// Whether it holds no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("MemoryStore");
        out.field("identity", &self.inner.identity).field("records", &self.len());
        out.field("capacity", &self.inner.capacity).finish()
    }
}

impl Store for MemoryStore {
    async fn claim(&self, request: ClaimRequest) -> Result<Claim, StoreError> {
        loop {
            if let Some(answer) = self.inner.claim(&request) {
                return Ok(answer);
            }
            self.inner.make_room(request.now)?;
        }
    }

    async fn write(&self, request: OwnerWrite) -> Result<Written, StoreError> {
        Ok(self.inner.write(&request))
    }

    async fn inspect(&self, key: &IdempotencyKey) -> Result<Option<Record>, StoreError> {
        Ok(self.inner.shard(key).records.get(key).cloned())
    }

    async fn evict(&self, request: Evict) -> Result<bool, StoreError> {
        Ok(self.inner.evict(&request))
    }

    async fn list(&self, request: ListRequest) -> Result<Vec<Record>, StoreError> {
        Ok(self.inner.list(&request))
    }

    async fn ready(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Durability::ProcessLocal).with_listing()
    }

    fn identity(&self) -> &str {
        &self.inner.identity
    }
}

struct Inner {
    identity: String,
    capacity: usize,
    /// Counts the records of all shards; a slot is reserved here before a record is inserted.
    records: AtomicUsize,
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
    /// Held while a full store looks for room, so that callers do not search at the same time.
    sweeping: Mutex<()>,
    /// No record can be removed before this time, in milliseconds. Zero until the first sweep.
    sweep_from: AtomicU64,
}

#[derive(Default)]
struct Shard {
    records: IndexMap<IdempotencyKey, Record>,
    /// Where the next insert looks for records to remove.
    cursor: usize,
}

impl Inner {
    fn shard(&self, key: &IdempotencyKey) -> MutexGuard<'_, Shard> {
        // The map inside hashes with other random bits; this choice takes none of its entropy.
        let hash = self.hasher.hash_one(key.as_str());
        let index = usize::try_from(hash % SHARDS as u64).unwrap_or_default();
        lock(&self.shards[index])
    }

    /// `None` if there is no room for a new record.
    fn claim(&self, request: &ClaimRequest) -> Option<Claim> {
        let mut shard = self.shard(&request.key);
        if let Some(found) = shard.records.get_mut(&request.key) {
            let decision = protocol::claim(Some(found), request);
            if let Some(next) = decision.write {
                self.note(&next);
                *found = next;
            }
            return Some(decision.answer);
        }
        let removed = shard.remove_forgotten_nearby(request.now);
        self.records.fetch_sub(removed, Ordering::Relaxed);
        let decision = protocol::claim(None, request);
        if let Some(record) = decision.write {
            if !self.reserve() {
                return None;
            }
            self.note(&record);
            shard.records.insert(request.key.clone(), record);
        }
        Some(decision.answer)
    }

    fn write(&self, request: &OwnerWrite) -> Written {
        let mut shard = self.shard(&request.key);
        let found = shard.records.get_mut(&request.key);
        let decision = protocol::write(found.as_deref(), request);
        if let (Some(found), Some(next)) = (found, decision.write) {
            self.note(&next);
            *found = next;
        }
        decision.answer
    }

    /// Looks at all records; only what may be on the page is kept on the way.
    fn list(&self, request: &ListRequest) -> Vec<Record> {
        let mut page = Vec::new();
        for shard in &self.shards {
            page.extend(request.page(lock(shard).records.values()));
            page = request.page(&page);
        }
        page
    }

    fn evict(&self, request: &Evict) -> bool {
        let mut shard = self.shard(&request.key);
        let found = shard.records.get(&request.key).is_some_and(|record| request.means(record));
        if found {
            shard.records.swap_remove(&request.key);
            self.records.fetch_sub(1, Ordering::Relaxed);
        }
        found
    }

    fn reserve(&self) -> bool {
        let free = |records: usize| (records < self.capacity).then_some(records + 1);
        self.records.fetch_update(Ordering::Relaxed, Ordering::Relaxed, free).is_ok()
    }

    /// A record that can be removed sooner than all others moves the next sweep forward. Called under the lock
    /// of the record's shard: a sweep either meets the record or has announced itself before.
    fn note(&self, record: &Record) {
        if let Some(from) = removable_from(record).map(Timestamp::as_millis)
            && from < self.sweep_from.load(Ordering::Relaxed)
        {
            self.sweep_from.fetch_min(from, Ordering::Relaxed);
        }
    }

    /// Removes all forgotten records of a full store. A store in which nothing can be removed yet remembers
    /// from when on something can, so that it does not search on every call.
    fn make_room(&self, now: Timestamp) -> Result<(), StoreError> {
        let _sweeping = lock(&self.sweeping);
        let has_room = || self.records.load(Ordering::Relaxed) < self.capacity;
        if has_room() {
            return Ok(());
        }
        if now.as_millis() >= self.sweep_from.load(Ordering::Relaxed) {
            self.sweep_from.store(u64::MAX, Ordering::Relaxed);
            let next = self.shards.iter().filter_map(|shard| self.sweep(&mut lock(shard), now)).min();
            self.sweep_from.fetch_min(next.map_or(u64::MAX, Timestamp::as_millis), Ordering::Relaxed);
        }
        if has_room() { Ok(()) } else { Err(self.full()) }
    }

    /// Returns from when on the next record can be removed.
    fn sweep(&self, shard: &mut Shard, now: Timestamp) -> Option<Timestamp> {
        let before = shard.records.len();
        shard.records.retain(|_, record| !record.is_forgotten(now, DEFAULT_SKEW_BUDGET));
        self.records.fetch_sub(before - shard.records.len(), Ordering::Relaxed);
        shard.records.values().filter_map(removable_from).min()
    }

    fn full(&self) -> StoreError {
        StoreError::new(
            StoreErrorKind::Full,
            format!(
                "the store {} is full: its bound is {} records, and all of them are still needed; \
                 raise it with `MemoryStore::builder().capacity(..)`, shorten the TTLs, or use a store on disk",
                self.identity, self.capacity
            ),
        )
    }
}

impl Shard {
    /// Looks at two records and removes those that are forgotten: a store that grows by one record per insert
    /// and looks at two meets every record in time.
    fn remove_forgotten_nearby(&mut self, now: Timestamp) -> usize {
        let mut removed = 0;
        for _ in 0..2 {
            if self.cursor >= self.records.len() {
                self.cursor = 0;
            }
            match self.records.get_index(self.cursor) {
                Some((_, record)) if record.is_forgotten(now, DEFAULT_SKEW_BUDGET) => {
                    // The last record takes this place and is looked at next.
                    self.records.swap_remove_index(self.cursor);
                    removed += 1;
                }
                _ => self.cursor += 1,
            }
        }
        removed
    }
}

/// From when on [`Record::is_forgotten`] holds; `None`: never by itself.
fn removable_from(record: &Record) -> Option<Timestamp> {
    let retained = record.retain_until?.plus(Duration::from_millis(1));
    match record.status {
        Status::InProgress if record.holds_after_crash() => None,
        Status::InProgress => Some(retained.max(record.lease_until.plus(DEFAULT_SKEW_BUDGET))),
        Status::Released | Status::Completed | Status::Failed => Some(retained),
        // Nobody may decide for the person or probe that an unknown outcome waits for.
        _ => None,
    }
}

/// Nothing panics under these locks before a record is replaced as a whole, so a poisoned one is as good.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const SHARDS: usize = 16;

#[cfg(test)]
mod tests;
