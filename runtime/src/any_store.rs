//! The store handle: any store, erased and cheap to clone, with what belongs to the service that uses it.

mod dyn_store;
mod erase;

use std::fmt;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use self::dyn_store::DynStore;
pub use self::erase::Erase;
#[cfg(feature = "cache")]
use crate::cache::LocalCache;
use crate::claim::{Claim, ClaimRequest};
use crate::clock::{Clock, SystemClock};
use crate::event::Observer;
use crate::key::IdempotencyKey;
use crate::name;
use crate::record::Record;
use crate::registry::{self, Place};
use crate::store::{Capabilities, Durability, ListRequest, Store};
use crate::store_error::{StoreError, StoreErrorKind};
use crate::transaction::Enclosing;
use crate::write::{Evict, OwnerWrite, Written};

/// A handle on a store: the store itself, the namespace of its records, and the clock and skew budget that its
/// callers judge by. Clones are cheap and share all of it.
#[derive(Clone)]
pub struct AnyStore {
    store: Arc<dyn DynStore>,
    /// The transaction that the store is, if it is one.
    transaction: Option<Arc<dyn Enclosing>>,
    settings: Arc<Settings>,
    place: Place,
}

#[derive(Clone)]
struct Settings {
    namespace: Option<Box<str>>,
    clock: Arc<dyn Clock>,
    skew_budget: Duration,
    accepts_loss: bool,
    disabled: bool,
    observer: Option<Arc<dyn Observer>>,
    #[cfg(feature = "cache")]
    cache: Option<Arc<LocalCache>>,
}

/// One object for all handles with the standard settings: erasing a store per call must cost little.
static STANDARD: LazyLock<Arc<Settings>> = LazyLock::new(|| {
    Arc::new(Settings {
        namespace: None,
        clock: Arc::new(SystemClock::new()),
        skew_budget: crate::DEFAULT_SKEW_BUDGET,
        accepts_loss: false,
        disabled: false,
        observer: None,
        #[cfg(feature = "cache")]
        cache: None,
    })
});

impl AnyStore {
    /// A handle without a namespace, on the system's clock, with the default skew budget.
    pub fn new<S: Store>(store: S) -> Self {
        let place = registry::place(store.identity(), None);
        Self { store: Arc::new(store), transaction: None, settings: STANDARD.clone(), place }
    }

    /// A handle on a transaction: `store` reads and writes in it.
    #[doc(hidden)]
    pub fn within<S: Store>(store: S, transaction: impl Enclosing) -> Self {
        Self { transaction: Some(Arc::new(transaction)), ..Self::new(store) }
    }

    /// The transaction, if this is a handle on one.
    pub(crate) fn transaction(&self) -> Option<&Arc<dyn Enclosing>> {
        self.transaction.as_ref()
    }

    /// The same store with the namespace, clock, skew budget, observer and other settings of another handle on it. A
    /// handle on another store is the error *misconfigured*.
    pub fn with_settings_of(self, other: &Self) -> Result<Self, StoreError> {
        if self.identity() != other.identity() {
            let message = format!(
                "the settings of a handle on `{}` are not those of one on `{}`: namespaces and clocks belong to a place",
                other.identity(),
                self.identity()
            );
            return Err(StoreError::new(StoreErrorKind::Misconfigured, message));
        }
        Ok(Self { settings: other.settings.clone(), place: other.place, ..self })
    }

    /// The same handle for the records of one service. Services that share a store need names of their own;
    /// the name is the first thing in every stored key.
    ///
    /// A name has 1 to 64 characters of `A-Z a-z 0-9 _ . -`; other names are an error.
    pub fn with_namespace(self, namespace: &str) -> Result<Self, StoreError> {
        if !name::is_valid(namespace) {
            return Err(StoreError::new(
                StoreErrorKind::Misconfigured,
                format!(
                    "the namespace {namespace:?} is not a name: use 1 to 64 characters of `A-Z a-z 0-9 _ . -`"
                ),
            ));
        }
        let place = registry::place(self.store.identity(), Some(namespace));
        let handle = self.with_settings(|settings| settings.namespace = Some(namespace.into()));
        Ok(Self { place, ..handle })
    }

    /// The same handle on another clock, for tests.
    pub fn with_clock(self, clock: impl Clock) -> Self {
        self.with_settings(|settings| settings.clock = Arc::new(clock))
    }

    /// The same handle with another skew budget: how far the clocks of two hosts may differ. It is added before
    /// another owner's lease is taken over, and subtracted before an owner trusts its own. Default: 2 s.
    pub fn with_skew_budget(self, budget: Duration) -> Self {
        self.with_settings(|settings| settings.skew_budget = budget)
    }

    /// The same handle for a store that may lose writes it has acknowledged
    /// ([`Durability::MayLoseAcknowledged`](crate::Durability::MayLoseAcknowledged)). A lost record means that its
    /// body runs again, so operations refuse such a store unless this says that it is accepted.
    pub fn accepting_loss(self) -> Self {
        self.with_settings(|settings| settings.accepts_loss = true)
    }

    /// The same handle; `observer` is told of every decision about the calls that use it.
    ///
    /// ```
    /// use idempotency::{AnyStore, Error, CallEvent, Observer, idempotent, store::MemoryStore};
    ///
    /// #[derive(Debug)]
    /// struct Print;
    ///
    /// impl Observer for Print {
    ///     fn observe(&self, event: &CallEvent<'_>) {
    ///         println!("{} {}", event.operation, event.decision.name());
    ///     }
    /// }
    ///
    /// #[idempotent(key = "order_no", ignore(store), ttl = "7d", store = store)]
    /// async fn place(store: &AnyStore, order_no: u64) -> Result<(), Error> {
    ///     Ok(())
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Error> {
    /// let store = AnyStore::new(MemoryStore::new()).with_observer(Print);
    /// place(&store, 1001).await?; // place claimed, place completed
    /// place(&store, 1001).await?; // place replayed
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_observer(self, observer: impl Observer) -> Self {
        self.with_settings(|settings| settings.observer = Some(Arc::new(observer)))
    }

    pub(crate) fn observer(&self) -> Option<&dyn Observer> {
        self.settings.observer.as_deref()
    }

    /// The same handle, switched off: bodies run at every call, without a look at the store. For tests of the body
    /// alone, and for nothing else: there is no such switch in the environment, where it would be forgotten.
    pub fn disabled(self) -> Self {
        self.with_settings(|settings| settings.disabled = true)
    }

    /// Whether the handle is switched off.
    pub fn is_disabled(&self) -> bool {
        self.settings.disabled
    }

    /// The same handle with a cache in this process of final outcomes that it has written or read: duplicates that
    /// come soon are answered without a call of the store. `entries` bounds it, and `max_age` says for how long an
    /// outcome is answered from it; a record that is evicted elsewhere is replayed that long.
    ///
    /// Only final outcomes are kept; the fingerprint is compared and the TTL respected as the store would.
    #[cfg(feature = "cache")]
    pub fn with_cache(self, entries: usize, max_age: Duration) -> Self {
        self.with_settings(|settings| settings.cache = Some(Arc::new(LocalCache::new(entries, max_age))))
    }

    /// Whether outcomes that were read or written are kept in this process.
    #[cfg_attr(not(feature = "cache"), allow(clippy::unused_self, reason = "there is no cache to ask for"))]
    pub(crate) fn has_cache(&self) -> bool {
        #[cfg(feature = "cache")]
        return self.settings.cache.is_some();
        #[cfg(not(feature = "cache"))]
        false
    }

    /// What [`AnyStore::cache`] is to be told with what the store will answer from now on.
    #[cfg_attr(not(feature = "cache"), allow(clippy::unused_self, reason = "there is no cache to ask"))]
    pub(crate) fn cache_generation(&self) -> u64 {
        #[cfg(feature = "cache")]
        return self.settings.cache.as_ref().map_or(0, |cache| cache.generation());
        #[cfg(not(feature = "cache"))]
        0
    }

    /// Keeps a final outcome.
    #[cfg_attr(
        not(feature = "cache"),
        allow(clippy::unused_self, unused_variables, reason = "there is no cache")
    )]
    pub(crate) fn cache(&self, record: &Record, generation: u64) {
        #[cfg(feature = "cache")]
        if let Some(cache) = &self.settings.cache {
            cache.put(self.place, record, generation, self.clock().monotonic());
        }
    }

    /// A final outcome that was kept.
    #[cfg_attr(
        not(feature = "cache"),
        allow(clippy::unused_self, unused_variables, reason = "there is no cache")
    )]
    pub(crate) fn cached(&self, key: &IdempotencyKey) -> Option<Arc<Record>> {
        #[cfg(feature = "cache")]
        return self.settings.cache.as_ref()?.get(self.place, key, self.clock().monotonic());
        #[cfg(not(feature = "cache"))]
        None
    }

    /// Forgets what was kept.
    #[cfg_attr(
        not(feature = "cache"),
        allow(clippy::unused_self, unused_variables, reason = "there is no cache")
    )]
    pub(crate) fn forget(&self, key: &IdempotencyKey) {
        #[cfg(feature = "cache")]
        if let Some(cache) = &self.settings.cache {
            cache.forget(self.place, key);
        }
    }

    /// Whether operations may use this store.
    pub(crate) fn is_acceptable(&self) -> bool {
        self.settings.accepts_loss || self.capabilities().durability != Durability::MayLoseAcknowledged
    }

    fn with_settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(Arc::make_mut(&mut self.settings));
        self
    }

    /// The namespace of the records.
    pub fn namespace(&self) -> Option<&str> {
        self.settings.namespace.as_deref()
    }

    /// The clock that callers read.
    pub fn clock(&self) -> &dyn Clock {
        &*self.settings.clock
    }

    /// How far the clocks of two hosts may differ.
    pub fn skew_budget(&self) -> Duration {
        self.settings.skew_budget
    }

    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// See [`Store::claim`].
    pub async fn claim(&self, request: ClaimRequest) -> Result<Claim, StoreError> {
        self.store.claim(request).await
    }

    /// See [`Store::write`].
    pub async fn write(&self, request: OwnerWrite) -> Result<Written, StoreError> {
        self.store.write(request).await
    }

    /// Reads a record as it is, expired or not.
    pub async fn inspect(&self, key: &IdempotencyKey) -> Result<Option<Record>, StoreError> {
        self.store.inspect(key).await
    }

    pub(crate) async fn evict_record(&self, request: Evict) -> Result<bool, StoreError> {
        self.store.evict(request).await
    }

    /// See [`Store::list`].
    pub async fn list(&self, request: ListRequest) -> Result<Vec<Record>, StoreError> {
        self.store.list(request).await
    }

    /// Checks that the store can be used; call it at the start of a process.
    pub async fn ready(&self) -> Result<(), StoreError> {
        self.store.ready().await
    }

    /// What the store can do.
    pub fn capabilities(&self) -> Capabilities {
        self.store.capabilities()
    }

    /// The place where the records live, for messages.
    pub fn identity(&self) -> &str {
        self.store.identity()
    }
}

impl<S: Store> From<S> for AnyStore {
    fn from(store: S) -> Self {
        Self::new(store)
    }
}

impl From<&AnyStore> for AnyStore {
    fn from(store: &AnyStore) -> Self {
        store.clone()
    }
}

impl fmt::Debug for AnyStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("AnyStore");
        out.field("store", &self.store.identity()).field("namespace", &self.settings.namespace);
        out.field("skew_budget", &self.settings.skew_budget).finish_non_exhaustive()
    }
}
