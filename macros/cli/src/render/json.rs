//! For other programs.

use serde::Serialize;

use super::Checked;
use crate::error::Error;
use crate::finding::{Finding, Severity};
use crate::hidden::{Hidden, Reason};
use crate::source::Location;

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Report<'a> {
    /// The version of this form.
    version: u32,
    operations: usize,
    files: usize,
    /// Whether everything could be read.
    complete: bool,
    findings: Vec<JsonFinding<'a>>,
    not_checked: Vec<JsonHidden<'a>>,
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    code: &'a str,
    level: Severity,
    message: &'a str,
    help: Option<&'a str>,
    notes: &'a [String],
    #[serde(flatten)]
    place: Place<'a>,
    related: Vec<Related<'a>>,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
}

#[derive(Serialize)]
struct JsonHidden<'a> {
    reason: Reason,
    message: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
}

/// Lines and columns from one, columns in characters; bytes from zero.
#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    start: Point,
    end: Point,
}

#[derive(Serialize)]
struct Point {
    line: usize,
    column: usize,
    byte: usize,
}

impl<'a> From<&'a Location> for Place<'a> {
    fn from(location: &'a Location) -> Self {
        let point = |byte| {
            let position = location.source.position(byte);
            Point { line: position.line, column: position.column, byte }
        };
        Self {
            file: location.source.path.as_str(),
            start: point(location.range.start),
            end: point(location.range.end),
        }
    }
}

pub(super) fn render(checked: &Checked) -> Result<String, Error> {
    let report = Report {
        version: 1,
        operations: checked.operations,
        files: checked.files,
        complete: !checked.is_incomplete(),
        findings: checked.findings.iter().map(finding).collect(),
        not_checked: checked.hidden.iter().map(hidden).collect(),
    };
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}

fn finding(finding: &Finding) -> JsonFinding<'_> {
    let related = finding.related.iter();
    JsonFinding {
        code: finding.code,
        level: finding.severity,
        message: &finding.message,
        help: finding.help.as_deref(),
        notes: &finding.notes,
        place: (&finding.location).into(),
        related: related.map(|(place, message)| Related { message, place: place.into() }).collect(),
    }
}

fn hidden(hidden: &Hidden) -> JsonHidden<'_> {
    JsonHidden { reason: hidden.reason, message: &hidden.what, place: (&hidden.location).into() }
}
