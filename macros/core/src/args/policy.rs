//! Arguments whose value is one of two words.

use proc_macro2::{Ident, Span, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;

use super::value::{Duration, duration_value, equals, parenthesized, skip_to_end};
use crate::diagnostic::Place;
use crate::report::Report;
use crate::suggest;
use crate::ttl;

/// What a concurrent duplicate gets.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "one per attribute")]
pub(crate) enum InProgress {
    Reject(Span),
    Wait(Span, Duration),
}

/// What a later duplicate gets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Completed {
    Replay(Span),
    Reject(Span),
}

/// Whether duplicates are stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mode {
    Protect(Span),
    Observe(Span),
}

/// What an attempt without a verdict leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OnCrash {
    Rerun(Span),
    Hold(Span),
}

/// What a call after the TTL gets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OnExpired {
    Run(Span),
    Reject(Span),
}

/// What a call does without the store.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OnStoreError {
    Reject(Span),
    Run(Span),
}

/// A key without a tenant is meant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// The word.
    pub(crate) span: Span,
}

/// `scope = global`
pub(super) fn scope(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Scope> {
    equals(name, input, report)?;
    let found = input.fork().parse::<TokenTree>();
    let place = found.as_ref().map_or_else(|_| Place::at(name.span()), Place::of);
    let found = found.map(|token| token.to_string()).unwrap_or_default();
    if found == "global" {
        return input.call(Ident::parse_any).ok().map(|word| Scope { span: word.span() });
    }
    report
        .error("malformed-argument", &place, format!("`{name}` is `global` or not given, not `{found}`"))
        .help("`scope = global`, for keys that hold no tenant on purpose");
    None
}

/// `in_progress = reject` or `in_progress = wait("5s")`
pub(super) fn in_progress(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<InProgress> {
    let word = word(name, input, ["reject", "wait"], report)?;
    let span = word.span();
    if word == "reject" {
        return Some(InProgress::Reject(span));
    }
    let Ok(content) = parenthesized(input) else {
        report
            .error("malformed-argument", &Place::at(span), "`wait` needs a duration")
            .help("`in_progress = wait(\"5s\")`");
        return None;
    };
    let duration = duration_value(&word, &content, report);
    skip_to_end(&content);
    duration.map(|duration| InProgress::Wait(span, duration))
}

/// `completed = replay` or `completed = reject`
pub(super) fn completed(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Completed> {
    let word = word(name, input, ["replay", "reject"], report)?;
    Some(if word == "replay" { Completed::Replay(word.span()) } else { Completed::Reject(word.span()) })
}

/// `on_crash = rerun` or `on_crash = hold`
pub(super) fn on_crash(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<OnCrash> {
    let word = word(name, input, ["rerun", "hold"], report)?;
    Some(if word == "rerun" { OnCrash::Rerun(word.span()) } else { OnCrash::Hold(word.span()) })
}

/// `on_expired = run` or `on_expired = reject`
pub(super) fn on_expired(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<OnExpired> {
    let word = word(name, input, ["run", "reject"], report)?;
    Some(if word == "run" { OnExpired::Run(word.span()) } else { OnExpired::Reject(word.span()) })
}

/// `on_store_error = reject` or `on_store_error = run`
pub(super) fn on_store_error(
    name: &Ident,
    input: ParseStream<'_>,
    report: &mut Report,
) -> Option<OnStoreError> {
    let word = word(name, input, ["reject", "run"], report)?;
    Some(if word == "reject" { OnStoreError::Reject(word.span()) } else { OnStoreError::Run(word.span()) })
}

/// `mode = protect` or `mode = observe`
pub(super) fn mode(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Mode> {
    let word = word(name, input, ["protect", "observe"], report)?;
    Some(if word == "protect" { Mode::Protect(word.span()) } else { Mode::Observe(word.span()) })
}

/// One of two words.
fn word(name: &Ident, input: ParseStream<'_>, words: [&str; 2], report: &mut Report) -> Option<Ident> {
    equals(name, input, report)?;
    let found = input.fork().parse::<TokenTree>();
    let place = found.as_ref().map_or_else(|_| Place::at(name.span()), Place::of);
    let found = found.map(|token| token.to_string()).unwrap_or_default();
    let [first, second] = words;
    if words.contains(&found.as_str()) {
        return input.call(Ident::parse_any).ok();
    }
    let bare = found.trim_matches('"');
    let (bare, argument) = bare.split_once('(').unwrap_or((bare, ""));
    let meant = suggest::closest(bare.trim(), words).unwrap_or(first);
    let help = if meant == "wait" {
        let argument = argument.trim_matches(|c: char| !c.is_alphanumeric());
        let duration = if ttl::parse(argument).is_ok() { argument } else { "5s" };
        format!("`{name} = wait(\"{duration}\")`")
    } else {
        format!("`{name} = {meant}`")
    };
    report
        .error("malformed-argument", &place, format!("`{name}` is `{first}` or `{second}`, not `{found}`"))
        .help(help);
    None
}
