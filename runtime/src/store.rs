//! The store: where records live.

use std::fmt::Debug;
use std::future::Future;

use crate::claim::{Claim, ClaimRequest};
use crate::key::IdempotencyKey;
use crate::record::{Record, Status};
use crate::store_error::StoreError;
use crate::write::{Evict, OwnerWrite, Written};

/// What a store promises about an acknowledged write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Durability {
    /// It survives a crash of the process and of the machine.
    Durable,
    /// It lives and dies with the process.
    ProcessLocal,
    /// It may be lost, for example by a failover.
    MayLoseAcknowledged,
}

/// What a store can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// What an acknowledged write is worth.
    pub durability: Durability,
    /// The largest encoded result it takes, in bytes; `None`: no limit of its own.
    pub max_value_bytes: Option<usize>,
    /// Whether the store itself removes records whose retention is over.
    pub native_ttl: bool,
    /// Whether it can list its records.
    pub listing: bool,
    /// Whether an outcome can commit in one transaction with what the body writes.
    pub transactions: bool,
}

impl Capabilities {
    /// No size limit, no native TTL, no listing, no transactions.
    pub const fn new(durability: Durability) -> Self {
        Self { durability, max_value_bytes: None, native_ttl: false, listing: false, transactions: false }
    }

    /// The same with a limit on the encoded result, in bytes.
    pub const fn with_max_value_bytes(mut self, bytes: usize) -> Self {
        self.max_value_bytes = Some(bytes);
        self
    }

    /// The same for a store that can list its records.
    pub const fn with_listing(mut self) -> Self {
        self.listing = true;
        self
    }

    /// The same for a store whose transactions operations can run in.
    pub const fn with_transactions(mut self) -> Self {
        self.transactions = true;
        self
    }

    /// The same for a store that removes records by itself.
    pub const fn with_native_ttl(mut self) -> Self {
        self.native_ttl = true;
        self
    }
}

/// The arguments of [`Store::list`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRequest {
    /// Only records whose stored key begins with this, its namespace included; empty: all records of all namespaces.
    /// The records of an operation begin with `charge:`, or `payments/charge:` in a namespace.
    pub prefix: String,
    /// Only records that stand there.
    pub status: Option<Status>,
    /// Only records whose stored key comes after this one, in the order of bytes: the last of the page before.
    pub after: Option<IdempotencyKey>,
    /// How many at most.
    pub limit: usize,
}

impl Default for ListRequest {
    /// The first hundred of all records.
    fn default() -> Self {
        Self { prefix: String::new(), status: None, after: None, limit: 100 }
    }
}

impl ListRequest {
    /// Whether the record belongs to what is asked for.
    pub fn asks_for(&self, record: &Record) -> bool {
        record.key.as_str().starts_with(&self.prefix)
            && self.status.is_none_or(|status| record.status == status)
            && self.after.as_ref().is_none_or(|after| record.key > *after)
    }

    /// The page of these records: for stores that look at all of them.
    pub fn page<'a>(&self, records: impl IntoIterator<Item = &'a Record>) -> Vec<Record> {
        let mut page: Vec<&Record> = records.into_iter().filter(|record| self.asks_for(record)).collect();
        page.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        page.truncate(self.limit);
        page.into_iter().cloned().collect()
    }
}

/// Where records live. Implement it with `async fn`s; clones must be cheap and share the records.
///
/// A store decides nothing: `claim` and `write` apply [`protocol::claim`](crate::protocol::claim) and
/// [`protocol::write`](crate::protocol::write) to the current record **atomically**, or conditions that are
/// equal to them. It never reads a clock. The conformance suite (`idempotency-conformance`) tests all of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an idempotency store",
    label = "not a store",
    note = "stores are `MemoryStore`, `SqliteStore` (feature `sqlite`) and types that implement `idempotency::Store`; a handle on any of them is an `AnyStore`"
)]
pub trait Store: Clone + Debug + Send + Sync + 'static {
    /// Claims a key. A claim that is not granted writes nothing, except that an announced or held attempt whose
    /// lease is dead becomes *unknown*.
    fn claim(&self, request: ClaimRequest) -> impl Future<Output = Result<Claim, StoreError>> + Send;

    /// Applies an owner's change if it still holds the claim.
    fn write(&self, request: OwnerWrite) -> impl Future<Output = Result<Written, StoreError>> + Send;

    /// Reads a record as it is, expired or not.
    fn inspect(
        &self,
        key: &IdempotencyKey,
    ) -> impl Future<Output = Result<Option<Record>, StoreError>> + Send;

    /// Removes a record; `false` if there is none of this epoch.
    fn evict(&self, request: Evict) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Reads records as they are, expired or not, in the order of the bytes of their keys. A store whose
    /// [`Capabilities::listing`] is `false` answers with an error of the kind
    /// [`Misconfigured`](crate::StoreErrorKind::Misconfigured).
    fn list(&self, request: ListRequest) -> impl Future<Output = Result<Vec<Record>, StoreError>> + Send;

    /// Checks that the store can be used, for the start of a process.
    fn ready(&self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// What the store can do.
    fn capabilities(&self) -> Capabilities;

    /// Names the place where the records live, for messages and to tell two handles of one place from two
    /// places: `sqlite:/var/lib/orders.db`, `memory:3`. It contains no secrets.
    fn identity(&self) -> &str;
}
