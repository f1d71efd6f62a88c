//! `unstable-form`

use super::parts::{RUNS_AGAIN, at_key};
use super::words::List;
use super::{Host, Lint, Subject, types};
use crate::diagnostic::Level;
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "unstable-form",
    Level::Error,
    "a part is not written the same way twice, or names a host, a process or a network path",
    include_str!("explain/unstable-form.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    at_key(subject, report);
    for part in &subject.parts {
        let shown = &part.shown;
        // The compiler knows types, and says more about them than their spelling does.
        let unstable_type = subject.host == Host::Command && part.ty.is_some_and(types::is_unstable);
        let message = if part.is_in(List::UnstableForm) {
            format!("{shown} names where the call runs or comes from, not what it asks for")
        } else if unstable_type {
            format!("{shown} is of a type that is not written the same way twice")
        } else {
            continue;
        };
        report.lint(&LINT, part.place(), message).help(subject.instead_of(part)).note(RUNS_AGAIN);
    }
}
