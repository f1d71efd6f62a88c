//! Rust inside a key: recognised, to say what to write instead.

use super::{Token, TokenKind, joined};
use crate::lint;
use crate::report::Report;

/// Words that no field can have, not even as a raw identifier.
pub(super) const NO_FIELD: [&str; 5] = ["self", "Self", "super", "crate", "_"];

/// Whether the step at `position` makes a Rust expression of the path before it.
pub(super) fn is_call(tokens: &[Token], position: usize) -> bool {
    let kind = |offset: usize| tokens.get(position + offset).map(|token| &token.kind);
    match (kind(0), kind(1), kind(2)) {
        (Some(TokenKind::PathSeparator | TokenKind::Open('(')), _, _) => true,
        (Some(TokenKind::Other(mark)), Some(TokenKind::Open(_)), _) => mark == "!",
        (Some(TokenKind::Dot), Some(TokenKind::Name(name)), after) => {
            name == "await" || matches!(after, Some(TokenKind::Open('(') | TokenKind::PathSeparator))
        }
        _ => false,
    }
}

/// Reports the Rust expression that begins at `start`.
pub(super) fn call<T>(tokens: &[Token], start: usize, rule: &str, report: &mut Report) -> Option<T> {
    let expression = expression(tokens.get(start..).unwrap_or(&[]));
    let (first, last) = (expression.first()?, expression.last()?);
    let shown = shorten(&expression.iter().map(|token| token.kind.to_string()).collect::<String>());
    let what = if shown.contains("::") && !shown.contains('(') { "a Rust path" } else { "a Rust expression" };
    let place = first.place.to(&last.place);
    let whole: String = expression.iter().map(|token| token.kind.to_string()).collect();
    if let Some(verdict) = lint::calls::judge(&whole, &shown) {
        report
            .lint(verdict.lint, &place, verdict.message)
            .law()
            .help(instead(expression).unwrap_or_else(|| verdict.help.to_string()))
            .note("a retry would have another value, and not be recognised as one");
        return None;
    }
    let diagnostic = report.error("rust-call", &place, format!("`{shown}` is {what}; {rule}"));
    if let Some(help) = instead(expression) {
        diagnostic.help(help);
    } else {
        diagnostic
            .help("take the value as an argument that the caller repeats on a retry")
            .note("what is made during the call is another value on a retry, which would then run again");
    }
    None
}

/// Up to the next sign outside brackets.
fn expression(tokens: &[Token]) -> &[Token] {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Plus | TokenKind::Minus | TokenKind::Comma if depth == 0 => {
                return tokens.get(..index).unwrap_or(tokens);
            }
            TokenKind::Close(_) if depth == 0 => return tokens.get(..index).unwrap_or(tokens),
            TokenKind::Open(_) => depth += 1,
            TokenKind::Close(_) => depth -= 1,
            _ => {}
        }
    }
    tokens
}

/// How the key language writes a format macro, or a well-known method call at the end of a path.
fn instead(expression: &[Token]) -> Option<String> {
    if let Some(names) = joined::of_macro(expression) {
        return Some(format!("`{names}`: a key joins its parts itself"));
    }
    let dot = expression.iter().enumerate().position(|(index, token)| {
        token.kind == TokenKind::Dot
            && expression.get(index + 2).is_some_and(|token| token.kind == TokenKind::Open('('))
    })?;
    let receiver: String = expression.get(..dot)?.iter().map(|token| token.kind.to_string()).collect();
    if receiver.contains('(') || receiver.contains("::") {
        return None;
    }
    let argument = expression.get(dot + 3).map(|token| &token.kind);
    match expression.get(dot + 1)?.kind.to_string().as_str() {
        "to_lowercase" | "to_ascii_lowercase" => Some(format!("`lower({receiver})`")),
        "trim" => Some(format!("`trim({receiver})`")),
        "unwrap" | "expect" => Some(format!("`{receiver}?`, which refuses the call if it is `None`")),
        "get" => match argument {
            Some(TokenKind::Text(name)) => Some(format!("`{receiver}['{name}']`")),
            _ => None,
        },
        "to_string" | "clone" | "to_owned" | "as_str" | "as_ref" | "as_deref" | "into" | "borrow" => {
            Some(format!("`{receiver}` alone: nothing needs to be converted"))
        }
        _ => None,
    }
}

/// Keeps the first line of a message short.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 48;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}
