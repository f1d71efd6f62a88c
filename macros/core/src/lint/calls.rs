//! Rust calls inside a key: which of them make another value each time.

use super::words::calls;
use super::{Lint, random_part, timestamp, trace_id, unstable_form};

/// What a call does to a key.
pub(crate) struct Verdict {
    pub(crate) lint: &'static Lint,
    pub(crate) message: String,
    pub(crate) help: &'static str,
}

/// Judges the text of a Rust expression, without white space; `None` if it is like any other.
pub(crate) fn judge(expression: &str, shown: &str) -> Option<Verdict> {
    static RANDOM: Lint = random_part::LINT;
    static CLOCK: Lint = timestamp::LINT;
    static TRACE: Lint = trace_id::LINT;
    static UNSTABLE: Lint = unstable_form::LINT;
    let (lint, what, help): (&'static Lint, _, _) = if calls_one_of(expression, calls::GENERATORS) {
        (
            &RANDOM,
            "is drawn anew by every attempt",
            "let the caller make the id once per request, and take it as an argument",
        )
    } else if calls_one_of(expression, calls::TRACING) {
        (&TRACE, "names a trace, not a request", "use an argument that names the request itself")
    } else if is_debug_format(expression) || calls_one_of(expression, calls::UNSTABLE) {
        (
            &UNSTABLE,
            "is not written the same way twice",
            "name the arguments themselves: parts are encoded by the key",
        )
    } else if calls_one_of(expression, calls::CLOCKS) {
        (
            &CLOCK,
            "reads a clock, which every attempt reads later",
            "use an argument that names the request itself",
        )
    } else {
        return None;
    };
    Some(Verdict { lint, message: format!("`{shown}` {what}"), help })
}

/// Whether one of these names, or pairs of names, stands in the expression.
pub(super) fn calls_one_of(expression: &str, names: &[&str]) -> bool {
    let words: Vec<&str> = expression
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect();
    names.iter().any(|name| match name.split_once("::") {
        None => words.contains(name),
        Some((first, second)) => {
            words.iter().zip(words.iter().skip(1)).any(|(a, b)| *a == first && *b == second)
        }
    })
}

fn is_debug_format(expression: &str) -> bool {
    expression.starts_with("format!") && [":?}", ":#?}", ":p}"].iter().any(|form| expression.contains(form))
}
