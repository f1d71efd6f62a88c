//! Values that are drawn anew each time.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[(&["nonce", "random", "random_id", "salt"], Rule::Warned)];
