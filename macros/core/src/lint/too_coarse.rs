//! `too-coarse`

use super::parts::{NamedPart, at_key};
use super::words::List;
use super::{Lint, Subject};
use crate::diagnostic::{Level, Place};
use crate::report::Report;
use crate::suggest;

pub(super) const LINT: Lint = Lint::new(
    "too-coarse",
    Level::Error,
    "many requests share all parts of the key",
    include_str!("explain/too-coarse.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    // With a part missing, the others look coarse.
    let (Some(first), Some(last), true) =
        (subject.parts.first(), subject.parts.last(), subject.operation.complete)
    else {
        return;
    };
    at_key(subject, report);
    let place = first.place().to(last.place());
    let telling: Vec<&NamedPart<'_>> = subject.parts.iter().filter(|part| part.distinguishes()).collect();
    let scoped = subject.parts.iter().any(|part| part.is_in(List::Scope));
    if telling.is_empty() {
        report_shared(subject, &place, report);
    } else if !scoped && telling.iter().all(|part| part.is_in(List::Entity)) {
        report_entity(subject, &telling, report);
    } else if let ([only], true) = (telling.as_slice(), subject.parts.len() == 1)
        && only.is_in(List::LocalId)
        && only.before.is_empty()
    {
        let (path, shown) = (only.path, &only.shown);
        report
            .lint(
                &LINT,
                only.place(),
                format!("{shown} is unique only inside something that the key does not name"),
            )
            .warning()
            .help(format!(
                "name what it is the {path} of: `order_{path}`, or add the table or stream to the key"
            ))
            .note("two requests with the same key are one: the second gets the first one's answer");
    }
}

fn report_shared(subject: &Subject<'_>, place: &Place, report: &mut Report) {
    let names = suggest::join(&subject.parts.iter().map(|part| part.shown.clone()).collect::<Vec<_>>());
    let share = if subject.parts.len() == 1 { "says" } else { "say" };
    let message = format!("{names} {share} who or what kind, but not which request");
    report
        .lint(&LINT, place, message)
        .help(format!(
            "add what names the request itself, for example `+ {}`; {ONCE_EVER}",
            subject.better_name()
        ))
        .note("all requests that share them are one: the second gets the first one's answer");
}

/// For what is done once and never again, as a welcome gift.
const ONCE_EVER: &str = "`allow(too-coarse, reason = \"…\")`, if it happens once for them, ever";

fn report_entity(subject: &Subject<'_>, telling: &[&NamedPart<'_>], report: &mut Report) {
    let Some(first) = telling.first() else { return };
    let (path, shown) = (first.path, &first.shown);
    report
        .lint(&LINT, first.place(), format!("{shown} is the same in many requests"))
        .warning()
        .help(format!(
            "add who asks and which request, for example `tenant_id + {} + {path}`",
            subject.better_name()
        ))
        .note("all requests for it are one: the second gets the first one's answer");
}
