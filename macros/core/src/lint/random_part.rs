//! `random-part`

use super::parts::{Strength, at_key, level};
use super::words::List;
use super::{Lint, Subject};
use crate::diagnostic::Level;
use crate::report::Report;

/// Calls of generators are refused where the key is parsed; this is about names.
pub(super) const LINT: Lint = Lint::new(
    "random-part",
    Level::Error,
    "a part is drawn at random",
    include_str!("explain/random-part.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    at_key(subject, report);
    for (part, _) in subject.parts_in(List::Random) {
        let message = format!("{} is drawn anew for every attempt by most clients", part.shown);
        level(report.lint(&LINT, part.place(), message), Strength::Warning)
            .help(subject.instead_of(part))
            .note("a value that the caller draws once and repeats is an idempotency key: name it so");
    }
}
