//! Unique only inside something that must be named with it.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[(&["id", "index", "line_no", "line_number", "position"], Rule::Plain)];
