#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

/// Says what each variant of an error type means for a retry.
///
/// Every variant has one of these attributes, or the type has one for all that have none:
///
/// | attribute | the error says | the call after it |
/// |---|---|---|
/// | `#[retryable]` | nothing has happened | runs the body |
/// | `#[terminal]` | the request is answered for good | gets the same error, and the body does not run |
/// | `#[unknown]` | the effect may have happened | gets an error of the kind [`Unknown`](ErrorKind::Unknown), until somebody has found out |
/// | `#[inner]` | what the error in the variant's only field says | – |
///
/// On a struct the attribute stands above it. A type with a terminal variant is recorded, and needs serde; what serde
/// cannot write stands in other variants. A terminal error behind `#[inner]` is recorded only in such a type; in one
/// without a terminal variant of its own, duplicates get *value not kept*. `#[classify(crate = path)]` on the type says
/// where this crate is, if it is renamed.
///
/// ```
/// use idempotency::Classify;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, thiserror::Error, Serialize, Deserialize, Classify)]
/// #[retryable] // what has no attribute of its own
/// enum ChargeError {
///     #[error("the card was declined: {reason}")]
///     #[terminal]
///     Declined { reason: String },
///     #[error("the provider did not answer in time")]
///     #[unknown]
///     TimedOut,
///     #[error("the provider is down")]
///     Down,
///     #[error(transparent)]
///     #[serde(skip)] // not terminal, so never recorded
///     #[inner]
///     Idempotency(#[from] idempotency::Error),
/// }
///
/// # use idempotency::ErrorClass;
/// assert_eq!(ChargeError::TimedOut.class(), ErrorClass::Unknown);
/// assert_eq!(ChargeError::Down.class(), ErrorClass::Retryable);
/// ```
pub use idempotency_macros::Classify;
/// Makes a newtype or an enum without fields usable in a key.
///
/// A newtype is the part that its field is. An enum is the name of its variant, so renaming a variant changes the
/// keys of its requests; `#[key_part(rename = "…")]` on the variant keeps the old name.
///
/// ```
/// use idempotency::KeyPart;
///
/// #[derive(KeyPart)]
/// struct TenantId(u64);
///
/// #[derive(KeyPart)]
/// enum Channel {
///     Web,
///     #[key_part(rename = "Phone")]
///     CallCenter,
/// }
/// ```
pub use idempotency_macros::KeyPart;
#[doc = include_str!("attribute.md")]
#[doc = include_str!("lints.md")]
pub use idempotency_macros::idempotent;
#[cfg(feature = "http")]
pub use idempotency_runtime::HeaderPart;
#[cfg(feature = "messagepack")]
pub use idempotency_runtime::MessagePackCodec;
pub use idempotency_runtime::{
    AnyStore, ByHand, CalendarDate, CallEvent, Capabilities, CarriesError, Change, Claim, ClaimRequest,
    Classified, Classify, Clock, Codec, CodecError, Completed, Completion, DEFAULT_LEASE,
    DEFAULT_SKEW_BUDGET, Deadline, Decision, Disposition, Durability, Epoch, Error, ErrorClass, ErrorKind,
    Evict, Exclusion, Fingerprint, FingerprintBuilder, FingerprintError, Fit, IdempotencyKey, InProgress,
    JsonCodec, JsonPart, KeyBuilder, KeyPart, ListRequest, Lookup, ManualClock, Mode, Observer, OldValue,
    OnCrash, OnExpired, OnStoreError, Operation, Outcome, OwnerToken, OwnerWrite, PartError, PartWriter,
    Present, Previous, Reconciled, Record, RecordedValue, Refusal, Replayable, Report, Resolution,
    ReturnType, Site, Sleep, Status, Store, StoreError, StoreErrorKind, Sweep, Swept, SystemClock,
    TerminalErrors, Timestamp, UnknownOutcome, Written, current_key, default_store, drain, effect_begins,
    install_default, operation, protocol, with_reports, with_store,
};

pub mod store {
    //! The stores, and opening one from configuration.

    /// ```
    /// use idempotency::idempotent;
    /// use idempotency::store::{SqliteStore, SqliteTransaction};
    ///
    /// #[idempotent(key = "order_no", validate = "cents", ttl = "7d", store = tx)]
    /// async fn place(tx: &SqliteTransaction, order_no: i64, cents: i64) -> anyhow::Result<i64> {
    ///     let insert = "INSERT INTO orders (no, cents) VALUES (?1, ?2) RETURNING id";
    ///     Ok(tx.run(move |db| db.query_row(insert, (order_no, cents), |row| row.get(0))).await?)
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> anyhow::Result<()> {
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("orders.db");
    /// let store = SqliteStore::open(&path).await?;
    /// let tx = store.begin().await?;
    /// let table = "CREATE TABLE orders (id INTEGER PRIMARY KEY, no INTEGER, cents INTEGER)";
    /// tx.run(move |db| db.execute_batch(table)).await?;
    /// let id = place(&tx, 1001, 12_900).await?;
    /// tx.commit().await?;
    ///
    /// let tx = store.begin().await?;
    /// assert_eq!(place(&tx, 1001, 12_900).await?, id); // the recorded outcome
    /// tx.rollback().await;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// It is committed once, and not used after that; and a store without transactions has none. None of this compiles:
    ///
    /// ```compile_fail,E0382
    /// # use idempotency::store::{SqliteStore, TransactionError};
    /// # async fn twice(store: SqliteStore) -> Result<(), TransactionError> {
    /// let tx = store.begin().await?;
    /// tx.commit().await?;
    /// tx.commit().await
    /// # }
    /// ```
    ///
    /// ```compile_fail,E0599
    /// # use idempotency::store::MemoryStore;
    /// # async fn begin(store: MemoryStore) {
    /// let tx = store.begin().await;
    /// # }
    /// ```
    #[cfg(feature = "sqlite")]
    pub use idempotency_stores::SqliteTransaction;
    #[cfg(feature = "sqlite")]
    pub use idempotency_stores::{
        DeadLetter, Dispatched, Dispatcher, EnqueueError, InsertError, Inserted, MessageId, OutboxMessage,
        RequestHash, SqliteStore, SqliteStoreBuilder, Synchronous, TransactionError, enqueue, insert_once,
        rusqlite,
    };
    #[cfg(feature = "memory")]
    pub use idempotency_stores::{MemoryStore, MemoryStoreBuilder};
    pub use idempotency_stores::{from_env, from_features, open};
}

#[doc(hidden)]
pub mod __private {
    pub use idempotency_runtime::private::*;
}
