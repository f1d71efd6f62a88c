#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

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
    TerminalErrors, Timestamp, UnknownOutcome, Written, default_store, drain, effect_begins, install_default,
    operation, protocol, with_reports, with_store,
};

pub mod store {
    //! The stores, and opening one from configuration.

    #[cfg(feature = "memory")]
    pub use idempotency_stores::{MemoryStore, MemoryStoreBuilder};
    #[cfg(feature = "sqlite")]
    pub use idempotency_stores::{SqliteStore, SqliteStoreBuilder, Synchronous};
    pub use idempotency_stores::{from_env, from_features, open};
}

#[doc(hidden)]
pub mod __private {
    pub use idempotency_runtime::private::*;
}
