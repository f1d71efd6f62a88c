//! The stores of the `idempotency` crate, each behind a feature of its own.
//!
//! | feature | store | where records live |
//! |---|---|---|
//! | `memory` (default) | [`MemoryStore`] | in this process |

#[cfg(feature = "memory")]
mod memory;

#[cfg(feature = "memory")]
pub use self::memory::{MemoryStore, MemoryStoreBuilder};
