//! `personal-data` and `secret`

use super::parts::{NamedPart, at_key};
use super::words::List;
use super::{Lint, Subject};
use crate::diagnostic::Level;
use crate::key::{Step, StepKind};
use crate::report::Report;

pub(super) const PERSONAL_DATA: Lint = Lint::new(
    "personal-data",
    Level::Error,
    "a part is data about a person, in clear",
    include_str!("explain/personal-data.md"),
    check_personal_data,
);

pub(super) const SECRET: Lint = Lint::new(
    "secret",
    Level::Error,
    "a part is a secret, or a hash of one without a key",
    include_str!("explain/secret.md"),
    check_secret,
);

fn check_personal_data(subject: &Subject<'_>, report: &mut Report) {
    at_key(subject, report);
    for (part, _) in subject.parts_in(List::PersonalData).into_iter().filter(|(part, _)| !part.is_hashed()) {
        let (path, shown) = (part.path, &part.shown);
        report
            .lint(&PERSONAL_DATA, part.place(), format!("{shown} would stand in the stored key in clear"))
            .help(format!("`hash({path})`, or an id of the person or account"))
            .note("keys are shown in logs, errors and consoles");
    }
}

fn check_secret(subject: &Subject<'_>, report: &mut Report) {
    at_key(subject, report);
    for (part, _) in subject.parts_in(List::Secret) {
        let shown = &part.shown;
        let message = if part.is_hashed() {
            format!("{shown} is a secret, and a hash of it can be guessed")
        } else {
            format!("{shown} is a secret, and would stand in the stored key in clear")
        };
        report
            .lint(&SECRET, part.place(), message)
            .help(other_than(part, subject))
            .note("keys are shown in logs, errors and consoles");
    }
}

/// A field may have an id beside it; the name of a header is given.
fn other_than(part: &NamedPart<'_>, subject: &Subject<'_>) -> String {
    if matches!(part.path.steps.last(), Some(Step { kind: StepKind::Lookup(_), .. })) {
        subject.instead_of(part)
    } else {
        format!("use an id of it, for example `{}_id`", part.name)
    }
}
