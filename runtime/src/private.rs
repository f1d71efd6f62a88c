//! What expansions of the attribute may name. Not public API.

pub use crate::any_store::Erase;
pub use crate::lookup::{lookup, present};
pub use crate::outcome::{
    Classes, DerivesClasses, ErrorClasses, ErrorOf, HasUnknown, RecordedError, WantsClasses, WithClasses,
    WithUnknown, WithoutClasses, WithoutUnknown, outcome, outcome_with, recorded,
};
pub use crate::part::{date, fit, fit_behind, fit_value, hash, lower, trim};
pub use crate::probe::{Asked, FindsOut, probe, probe_closure};
