//! `cargo idempotent explain CODE`

use std::fmt::Write as _;

use idempotency_macros_core::lint::{Hosts, Lint, registry};
use idempotency_macros_core::{Level, MISTAKES};

use crate::error::Error;

/// The page about a lint, about a mistake, or about all mistakes.
pub(crate) fn page(code: &str) -> Result<String, Error> {
    // A code is often copied with its quotes.
    let code = code.trim_matches(['`', '"', '\'']).to_lowercase().replace('_', "-");
    let lint = registry().iter().find(|lint| lint.code == code);
    let mistake = MISTAKES.iter().find(|mistake| mistake.code == code);
    match (lint, mistake) {
        (Some(lint), _) => Ok(format!("{}\n\n{}\n\n{}\n", head(lint), lint.explain.trim(), foot(lint))),
        (None, Some(mistake)) => Ok(format!("`{code}` (error): {}\n\n{NO_LINT}\n", mistake.summary)),
        (None, None) if SYNTAX.contains(&code.as_str()) => Ok(syntax()),
        (None, None) => Err(Error::UnknownCode(unknown(&code))),
    }
}

/// What mistakes in an attribute are called as a whole.
const SYNTAX: [&str; 4] = ["syntax", "grammar", "mistake", "mistakes"];

const NO_LINT: &str = "\
A mistake in the attribute is no lint: the function cannot be protected as it is written, so nothing allows it.
Its message underlines what is wrong and says what to type.";

fn syntax() -> String {
    format!("Mistakes in the attribute itself\n\n{NO_LINT}\n\n{}", table(mistakes()))
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
    let mut text = format!("no finding is called `{code}`");
    if let Some(meant) = closest(code) {
        let _ = write!(text, "; did you mean `{meant}`?");
    }
    let lints = table(registry().iter().map(|lint| (lint.code, lint.summary)));
    let mistakes = table(mistakes());
    let _ =
        write!(text, "\nlints are\n{lints}mistakes in the attribute, which nothing allows, are\n{mistakes}");
    text.truncate(text.trim_end().len());
    text
}

fn mistakes() -> impl Iterator<Item = (&'static str, &'static str)> {
    MISTAKES.iter().map(|mistake| (mistake.code, mistake.summary))
}

fn table<'a>(rows: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let rows: Vec<_> = rows.collect();
    let width = rows.iter().map(|(code, _)| code.len()).max().unwrap_or_default();
    rows.iter().fold(String::new(), |mut text, (code, summary)| {
        let _ = writeln!(text, "  {code:width$}  {summary}");
        text
    })
}

fn closest(code: &str) -> Option<&'static str> {
    let likeness = |known: &&str| strsim::jaro_winkler(code, known);
    let codes = registry().iter().map(|lint| lint.code).chain(mistakes().map(|(code, _)| code));
    codes.filter(|known| likeness(known) > 0.8).max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}
