//! The result of a check, in three forms.

mod human;
mod json;
mod sarif;

use std::io::IsTerminal as _;

use crate::error::Error;
use crate::finding::{Finding, Severity};
use crate::hidden::Hidden;
use crate::options::CheckFormat;

/// What a check found.
#[derive(Debug)]
pub(crate) struct Checked {
    /// In the order of files and lines, each once.
    pub(crate) findings: Vec<Finding>,
    pub(crate) hidden: Vec<Hidden>,
    pub(crate) operations: usize,
    pub(crate) files: usize,
}

impl Checked {
    /// Sorts, and drops what was seen twice.
    pub(crate) fn new(
        mut findings: Vec<Finding>,
        mut hidden: Vec<Hidden>,
        operations: usize,
        files: usize,
    ) -> Self {
        findings.sort_by(|a, b| order(a).cmp(&order(b)));
        findings.dedup_by(|a, b| order(a) == order(b));
        hidden.sort_by(|a, b| (a.location.order(), &a.what).cmp(&(b.location.order(), &b.what)));
        hidden.dedup_by(|a, b| (a.location.order(), &a.what) == (b.location.order(), &b.what));
        Self { findings, hidden, operations, files }
    }

    /// Whether something could not be read: the result is not the whole truth.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.hidden.iter().any(Hidden::is_fatal)
    }

    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// The text for standard output.
    pub(crate) fn render(&self, format: CheckFormat) -> Result<String, Error> {
        match format {
            CheckFormat::Human => Ok(human::render(self, has_colours())),
            CheckFormat::Json => json::render(self),
            CheckFormat::Sarif => sarif::render(self),
        }
    }
}

fn order(finding: &Finding) -> (&str, usize, usize, &str, &str) {
    let (path, start, end) = finding.location.order();
    (path, start, end, finding.code, &finding.message)
}

/// Colours are for terminals, and not for those who ask for none (<https://no-color.org>).
fn has_colours() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
