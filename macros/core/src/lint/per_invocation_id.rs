//! `per-invocation-id`

use super::parts::{RUNS_AGAIN, Receiver, Strength, at_key, level};
use super::words::List;
use super::{Lint, Subject};
use crate::diagnostic::Level;
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "per-invocation-id",
    Level::Error,
    "a part is an id that changes with every invocation or delivery",
    include_str!("explain/per-invocation-id.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    at_key(subject, report);
    for (part, strength) in subject.parts_in(List::PerInvocationId) {
        let shown = &part.shown;
        let of_the_call = matches!(part.receiver, Receiver::Bare | Receiver::Context);
        if of_the_call && strength == Strength::Error {
            report
                .lint(&LINT, part.place(), format!("{shown} is new with every invocation"))
                .help(subject.instead_of(part))
                .note(RUNS_AGAIN);
        } else {
            let message = format!("{shown} names a request only if the caller repeats it on a retry");
            let diagnostic = report.lint(&LINT, part.place(), message);
            level(diagnostic, Strength::Warning)
                .help("use an id that is made once per request, for example `client_request_id`")
                .note("many clients make a new one for every attempt");
        }
    }
}
