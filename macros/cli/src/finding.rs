//! A finding with its place in a file, independent of how it is written.

use std::rc::Rc;

use idempotency_macros_core::{Diagnostic, Level, Place};
use serde::Serialize;

use crate::source::{Location, Source};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    Error,
    Warning,
}

/// One thing that is wrong.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) location: Location,
    /// Other places, each with what is there.
    pub(crate) related: Vec<(Location, String)>,
}

impl Finding {
    /// What the attribute's own engine found. `attribute` stands in for what has no place of its own.
    pub(crate) fn of_diagnostic(diagnostic: &Diagnostic, source: &Rc<Source>, attribute: &Location) -> Self {
        let severity = match diagnostic.level() {
            Level::Error => Severity::Error,
            _ => Severity::Warning,
        };
        Self {
            code: diagnostic.code(),
            severity,
            message: diagnostic.message().to_owned(),
            help: diagnostic.help_text().map(ToOwned::to_owned),
            notes: diagnostic.notes().iter().cloned().chain(code_note(diagnostic)).collect(),
            location: locate(diagnostic.place(), source).unwrap_or_else(|| attribute.clone()),
            related: Vec::new(),
        }
    }
}

/// The last line of the compiler's text: the code, and how to allow it.
fn code_note(diagnostic: &Diagnostic) -> Option<String> {
    diagnostic.to_string().lines().last().and_then(|line| line.strip_prefix("note: ")).map(ToOwned::to_owned)
}

/// The exact bytes of a place: inside a string literal the part that is meant, escapes and all.
pub(crate) fn locate(place: &Place, source: &Rc<Source>) -> Option<Location> {
    let Some(underline) = place.underline() else {
        return Location::of_spans(source, place.spans());
    };
    let literal = underline.literal();
    let whole = Location::of_spans(source, (literal.span(), literal.span()))?;
    let inside = literal.source_range(underline.range());
    let start = whole.range.start + inside.start;
    // An empty range, such as the end of the text, still needs a character to stand under.
    let end = (whole.range.start + inside.end).max(start + 1).min(whole.range.end);
    Some(Location { source: Rc::clone(source), range: start..end })
}
