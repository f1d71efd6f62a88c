//! The conformance suite: what every store of the `idempotency` crate must do.
#![doc = include_str!("../README.md")]
// A case reports by panicking: that is how a test fails.
#![allow(clippy::missing_panics_doc)]

pub mod call;
#[doc(hidden)]
pub mod cases;
mod harness;
mod list {
    mod calls;
    mod verbs;
}
mod model;
mod race;
mod run;
pub mod script;
mod suite;

pub use self::harness::{Harness, Tested};
pub use self::run::{run, run_threaded};
