//! Collects every mistake, so that one build shows them all.

use crate::diagnostic::{Diagnostic, Place};

/// The findings about one attribute.
///
/// A report must be read: in this crate's own tests, dropping one unread is a panic.
#[derive(Debug, Default)]
#[must_use]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
    read: bool,
}

impl Report {
    /// An empty report.
    pub fn new() -> Self {
        Self::default()
    }

    /// All findings, in the order in which they were made.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.read = true;
        std::mem::take(&mut self.diagnostics)
    }

    /// Records an error. The result takes help and notes.
    pub(crate) fn error(
        &mut self,
        code: &'static str,
        place: &Place,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.diagnostics.push(Diagnostic::error(code, place, message));
        match self.diagnostics.last_mut() {
            Some(added) => added,
            None => unreachable!("one finding was pushed just now"),
        }
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
