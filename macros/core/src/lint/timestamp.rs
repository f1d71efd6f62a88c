//! `timestamp`

use super::parts::{RUNS_AGAIN, Strength, at_key, level};
use super::words::{List, Rule};
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
        let shown = &part.shown;
        // `created: bool` says whether, not when.
        let is_flag = part.ty.is_some_and(types::is_bool);
        let rule = part.list.filter(|(list, _)| *list == List::Timestamp && !is_flag).map(|(_, rule)| rule);
        let (message, strength) = if rule == Some(Rule::Warned) && !clock_type {
            (format!("{shown} sounds like a clock value, another one with every attempt"), Strength::Warning)
        } else if rule.is_some() {
            (format!("{shown} changes every time the request is sent again"), Strength::Error)
        } else if clock_type {
            (format!("{shown} is a clock value"), Strength::Error)
        } else {
            continue;
        };
        level(report.lint(&LINT, part.place(), message), strength)
            .help(subject.instead_of(part))
            .note(RUNS_AGAIN);
    }
}
