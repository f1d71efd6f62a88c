//! `timestamp`

use super::parts::{RUNS_AGAIN, at_key};
use super::words::List;
use super::{Host, Lint, Subject, types};
use crate::diagnostic::Level;
use crate::key::Function;
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "timestamp",
    Level::Error,
    "a part is a clock value",
    include_str!("explain/timestamp.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    at_key(subject, report);
    for part in &subject.parts {
        // The compiler knows types, and says more about them than their spelling does.
        let clock_type = subject.host == Host::Command
            && part.ty.is_some_and(types::is_clock)
            && !part.functions.contains(&Function::Date);
        let path = part.path;
        let message = if part.is_in(List::Timestamp) {
            format!("`{path}` changes every time the request is sent again")
        } else if clock_type {
            format!("`{path}` is a clock value")
        } else {
            continue;
        };
        report.lint(&LINT, part.place(), message).help(subject.instead_of(part)).note(RUNS_AGAIN);
    }
}
