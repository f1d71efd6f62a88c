//! `trace-id`

use super::parts::{RUNS_AGAIN, Strength, at_key, level};
use super::words::List;
use super::{Lint, Subject};
use crate::diagnostic::Level;
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "trace-id",
    Level::Error,
    "a part is an id of tracing",
    include_str!("explain/trace-id.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    at_key(subject, report);
    for (part, strength) in subject.parts_in(List::TraceId) {
        let shown = &part.shown;
        if strength == Strength::Warning {
            let message = format!("{shown} may be new with every attempt, or shared by many requests");
            level(report.lint(&LINT, part.place(), message), strength)
                .help(subject.instead_of(part))
                .note("producers that set one per business operation may use it, and say so with `allow`");
        } else {
            report
                .lint(&LINT, part.place(), format!("{shown} names a trace, not a request"))
                .help(subject.instead_of(part))
                .note(RUNS_AGAIN);
        }
    }
}
