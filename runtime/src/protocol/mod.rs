//! The protocol, written once and without I/O.
//!
//! [`claim()`] and [`write()`] say what a store does to a record; every store applies them, or conditions equal to
//! them, atomically. [`attempt`] says what a caller does with the answers. The executor drives the same code as
//! the tests.

pub mod attempt;
mod claim;
#[cfg(test)]
mod tests;
mod write;

pub use self::claim::{ClaimDecision, claim};
pub use self::write::{WriteDecision, write};
