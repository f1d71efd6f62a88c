//! `cargo idempotent explain CODE`

use std::fmt::Write as _;

use idempotency_macros_core::lint::{Lint, registry};

use crate::error::Error;

/// The page about a lint.
pub(crate) fn page(code: &str) -> Result<&'static str, Error> {
    // A code is often copied with its quotes.
    let code = code.trim_matches(['`', '"', '\'']).to_lowercase().replace('_', "-");
    match registry().iter().find(|lint| lint.code == code) {
        Some(lint) => Ok(lint.explain),
        None => Err(Error::UnknownCode(unknown(&code))),
    }
}

fn unknown(code: &str) -> String {
    let mut text = format!("no lint is called `{code}`");
    if let Some(meant) = closest(code) {
        let _ = write!(text, "; did you mean `{}`?", meant.code);
    }
    text.push_str("\nlints are\n");
    let width = registry().iter().map(|lint| lint.code.len()).max().unwrap_or_default();
    for lint in registry() {
        let _ = writeln!(text, "  {:width$}  {}", lint.code, lint.summary);
    }
    text.push_str("other codes are mistakes in the attribute itself, and their message says what to type");
    text
}

fn closest(code: &str) -> Option<&'static Lint> {
    let likeness = |lint: &&Lint| strsim::jaro_winkler(code, lint.code);
    registry().iter().filter(|lint| likeness(lint) > 0.8).max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}
