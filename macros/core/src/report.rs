//! Collects every mistake, so that one build shows them all.

use crate::diagnostic::{Diagnostic, Level, Place};
use crate::lint::Lint;

/// The findings about one attribute.
///
/// A report must be read: in this crate's own tests, dropping one unread is a panic.
#[derive(Debug, Default)]
#[must_use]
pub struct Report {
    /// Each with the argument it is about.
    diagnostics: Vec<(usize, Diagnostic)>,
    argument: usize,
    read: bool,
}

impl Report {
    /// An empty report.
    pub fn new() -> Self {
        Self::default()
    }

    /// All findings, in the order of the arguments.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.read = true;
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        diagnostics.sort_by_key(|(argument, _)| *argument);
        diagnostics.into_iter().map(|(_, diagnostic)| diagnostic).collect()
    }

    /// What follows is about the next argument.
    pub(crate) fn next_argument(&mut self) {
        self.argument += 1;
    }

    /// What follows is about this argument: zero for the attribute as a whole.
    pub(crate) fn return_to(&mut self, argument: usize) {
        self.argument = argument;
    }

    /// What follows is about the item.
    pub(crate) fn at_item(&mut self) {
        self.argument = usize::MAX;
    }

    /// The argument that findings are about.
    pub(crate) fn argument(&self) -> usize {
        self.argument
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// Records an error. The result takes help and notes.
    pub(crate) fn error(
        &mut self,
        code: &'static str,
        place: &Place,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.diagnostics.push((self.argument, Diagnostic::error(code, place, message)));
        match self.diagnostics.last_mut() {
            Some((_, added)) => added,
            None => unreachable!("one finding was pushed just now"),
        }
    }

    /// Records a finding of a lint, at the lint's level. The result takes help and notes.
    pub fn lint(&mut self, lint: &Lint, place: &Place, message: impl Into<String>) -> &mut Diagnostic {
        self.diagnostics.push((self.argument, Diagnostic::lint(lint, place, message)));
        match self.diagnostics.last_mut() {
            Some((_, added)) => added,
            None => unreachable!("one finding was pushed just now"),
        }
    }

    /// Whether an error is about that argument, or is no lint that something can silence.
    pub(crate) fn spoils(&self, argument: usize) -> bool {
        self.diagnostics.iter().any(|(about, finding)| {
            finding.level() == Level::Error && (*about == argument || !finding.is_design())
        })
    }

    /// All findings, each with the argument it is about.
    pub(crate) fn into_findings(mut self) -> Vec<(usize, Diagnostic)> {
        self.read = true;
        std::mem::take(&mut self.diagnostics)
    }

    /// Records a finding about that argument.
    pub(crate) fn push(&mut self, argument: usize, diagnostic: Diagnostic) {
        self.diagnostics.push((argument, diagnostic));
    }

    /// Whether a finding of this code was added after the first `before`.
    pub(crate) fn holds_since(&self, before: usize, code: &str) -> bool {
        self.diagnostics.iter().skip(before).any(|(_, finding)| finding.code() == code)
    }

    /// How many findings there are so far: tells whether a step added one.
    pub(crate) fn len(&self) -> usize {
        self.diagnostics.len()
    }
}

#[cfg(test)]
impl Drop for Report {
    fn drop(&mut self) {
        assert!(self.read || std::thread::panicking(), "a report was dropped unread");
    }
}
