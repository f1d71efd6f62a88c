//! The cases, by subject. One case is one function, and its name says what it expects.
//!
//! Subjects that begin with `call_` are about whole operations over a store, the others about its verbs.

// The name of a case is its documentation; it is public only because `suite!` expands elsewhere.
#![allow(missing_docs)]
// `script` and `call` are the language of the cases: each uses most of it.
#![allow(clippy::wildcard_imports)]
// Spans are constants here, and a case that panics has failed.
#![allow(clippy::unchecked_time_subtraction)]

pub mod call_announced;
pub mod call_by_hand;
pub mod call_cache;
pub mod call_classes;
pub mod call_codec;
pub mod call_expiry;
pub mod call_failure;
pub mod call_first;
pub mod call_flight;
pub mod call_in_progress;
pub mod call_key;
pub mod call_lease;
pub mod call_missing_key;
pub mod call_nested;
pub mod call_reconcile;
pub mod call_replay;
pub mod call_sweep;
pub mod call_together;
pub mod call_validation;
pub mod call_values;
pub mod call_wait;
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
pub mod listing;
pub mod lost_answer;
pub mod payload;
pub mod probe;
pub mod probe_race;
pub mod release;
pub mod renew;
pub mod resolve;
pub mod retention;
pub mod size;
pub mod validation;
