//! The cases, by subject. One case is one function, and its name says what it expects.

// The name of a case is its documentation; it is public only because `suite!` expands elsewhere.
#![allow(missing_docs)]

pub mod claim;
pub mod cold;
pub mod complete;
pub mod concurrency;
pub mod evict;
pub mod expiry;
pub mod fencing;
pub mod history;
pub mod keys;
pub mod lease;
pub mod lost_answer;
pub mod payload;
pub mod release;
pub mod renew;
pub mod retention;
pub mod size;
pub mod validation;
