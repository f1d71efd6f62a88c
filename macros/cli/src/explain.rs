//! `cargo idempotent explain CODE`

use std::fmt::Write as _;

use idempotency_macros_core::Level;
use idempotency_macros_core::lint::{Hosts, Lint, registry};

use crate::error::Error;

/// The page about a lint.
pub(crate) fn page(code: &str) -> Result<String, Error> {
    // A code is often copied with its quotes.
    let code = code.trim_matches(['`', '"', '\'']).to_lowercase().replace('_', "-");
    match registry().iter().find(|lint| lint.code == code) {
        Some(lint) => Ok(format!("{}\n\n{}\n\n{}\n", head(lint), lint.explain.trim(), foot(lint))),
        None => Err(Error::UnknownCode(unknown(&code))),
    }
}

/// `timestamp` (error): when it fires.
fn head(lint: &Lint) -> String {
    let level = if lint.level == Level::Error { "error" } else { "warning" };
    format!("`{}` ({level}): {}", lint.code, lint.summary)
}

/// Who finds it, and how it is allowed.
fn foot(lint: &Lint) -> String {
    let code = lint.code;
    let finder = match lint.hosts {
        Hosts::Both => "The attribute and `cargo idempotent check` find it.",
        Hosts::Command => "`cargo idempotent check` finds it; a single build cannot.",
        _ => "The compiler finds it, because it knows the types.",
    };
    if lint.can_be_allowed() {
        format!(
            "{finder} Allow it in one attribute with `allow({code}, reason = \"…\")`, in a package with\n\
             `allow = [\"{code}\"]` in `[package.metadata.idempotency]`."
        )
    } else {
        format!("{finder} Nothing allows it.")
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
