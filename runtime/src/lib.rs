//! Keys, fingerprints, protocol and executor of the `idempotency` crate.
//!
//! Use the facade crate `idempotency`; a store of your own depends on this crate alone and implements [`Store`].

mod admin;
mod any_store;
#[cfg(feature = "cache")]
mod cache;
mod claim;
mod clock;
mod detached;
mod error;
mod event;
mod execute;
mod fingerprint;
mod flight;
mod key;
mod lookup;
mod name;
mod observe;
mod operation;
mod outcome;
mod owner;
mod part;
mod policy;
#[doc(hidden)]
pub mod private;
mod probe;
pub mod protocol;
mod record;
mod registry;
mod report;
mod scope;
mod store;
mod store_error;
mod sweep;
mod sync;
mod time;
pub mod transaction;
mod write;

use std::time::Duration;

pub use admin::{ByHand, Completion, Resolution};
pub use any_store::{AnyStore, Erase};
pub use claim::{Claim, ClaimRequest, OnExpired, Previous};
pub use clock::{Clock, ManualClock, Sleep, SystemClock};
pub use detached::drain;
pub use error::{Error, ErrorKind};
pub use event::{CallEvent, Decision, Observer};
pub use fingerprint::{Exclusion, Fingerprint, FingerprintBuilder, FingerprintError};
pub use key::{IdempotencyKey, KeyBuilder};
#[cfg(feature = "http")]
pub use lookup::HeaderPart;
pub use lookup::{JsonPart, Lookup, Present};
pub use operation::{DEFAULT_LEASE, Operation, operation};
#[cfg(feature = "messagepack")]
pub use outcome::MessagePackCodec;
pub use outcome::{
    CarriesError, Classify, Codec, CodecError, ErrorClass, JsonCodec, OldValue, Outcome, Replayable,
    ReturnType, TerminalErrors,
};
pub use owner::OwnerToken;
pub use part::{CalendarDate, Classified, Fit, KeyPart, PartError, PartWriter};
pub use policy::{Completed, InProgress, Mode, OnStoreError};
pub use probe::{Reconciled, UnknownOutcome};
pub use record::{Epoch, OnCrash, Record, RecordedValue, Status};
pub use registry::Site;
pub use report::{Disposition, Report};
pub use scope::{current_key, default_store, effect_begins, install_default, with_reports, with_store};
pub use store::{Capabilities, Durability, ListRequest, Store};
pub use store_error::{StoreError, StoreErrorKind};
pub use sweep::{Sweep, Swept};
pub use time::{Deadline, Timestamp};
pub use write::{Change, Evict, OwnerWrite, Refusal, Written};

/// How far the clocks of two hosts may differ, unless the store handle says otherwise.
pub const DEFAULT_SKEW_BUDGET: Duration = Duration::from_secs(2);
