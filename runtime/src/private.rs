//! What expansions of the attribute may name. Not public API.

pub use crate::any_store::Erase;
pub use crate::lookup::{lookup, present};
pub use crate::outcome::outcome;
pub use crate::part::{date, fit, fit_value, hash, lower, trim};
