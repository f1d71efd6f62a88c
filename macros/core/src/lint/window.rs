//! `ttl-below-window`, `window-required` and `ttl-too-long`

use super::{Lint, Subject, windows};
use crate::args::Duration;
use crate::diagnostic::{Level, Place};
use crate::report::Report;
use crate::ttl;

pub(super) const BELOW: Lint = Lint::new(
    "ttl-below-window",
    Level::Error,
    "a duplicate can come after the TTL",
    include_str!("explain/ttl-below-window.md"),
    check_below,
);

pub(super) const REQUIRED: Lint = Lint::new(
    "window-required",
    Level::Error,
    "a source has no default window, and none is stated",
    include_str!("explain/window-required.md"),
    check_required,
);

pub(super) const TOO_LONG: Lint = Lint::new(
    "ttl-too-long",
    Level::Warning,
    "the TTL is above the limit of the policy",
    include_str!("explain/ttl-too-long.md"),
    check_too_long,
);

/// The TTL with its place: the text, or the source if the policy gives it.
fn ttl(subject: &Subject<'_>) -> Option<(u64, Place)> {
    let operation = subject.operation;
    let Some(Duration::Milliseconds { value, span }) = &operation.ttl else { return None };
    let place = match &operation.sources {
        Some(sources) if operation.positions.ttl == 0 => sources.place.clone(),
        _ => Place::at(*span),
    };
    Some((*value, place))
}

fn check_below(subject: &Subject<'_>, report: &mut Report) {
    let Some(sources) = &subject.operation.sources else { return };
    let (Some((ttl, place)), Some(window)) = (ttl(subject), windows::sum(sources)) else { return };
    if ttl >= window.milliseconds() {
        return;
    }
    let positions = subject.operation.positions;
    report.return_to(if positions.ttl > 0 { positions.ttl } else { positions.source });
    let shortest = ttl::short(window.milliseconds());
    report
        .lint(
            &BELOW,
            &place,
            format!("a duplicate can come {shortest} later, but the TTL is {}", ttl::short(ttl)),
        )
        .help(format!("`ttl = \"{shortest}\"` or more"))
        .note(format!("the window of `source` is {}", window.shown()));
}

fn check_required(subject: &Subject<'_>, report: &mut Report) {
    let Some(sources) = &subject.operation.sources else { return };
    report.return_to(subject.operation.positions.source);
    for link in windows::without_window(&sources.links) {
        let source = link.source;
        report
            .lint(&REQUIRED, &Place::at(link.span), format!("`{}` has no default window", source.name))
            .help(format!("state how late a duplicate can come: `{}`", source.example()))
            .note("without it nobody knows whether the TTL is long enough");
    }
}

fn check_too_long(subject: &Subject<'_>, report: &mut Report) {
    let (Some(longest), Some((ttl, place))) = (subject.policy.max_ttl, ttl(subject)) else { return };
    if ttl <= longest {
        return;
    }
    report.return_to(subject.operation.positions.ttl);
    report
        .lint(
            &TOO_LONG,
            &place,
            format!("the TTL is {}, and the policy allows {}", ttl::short(ttl), ttl::short(longest)),
        )
        .help(format!("`ttl = \"{}\"` or less", ttl::short(longest)))
        .note("`max-ttl` stands in `[package.metadata.idempotency]` of the manifest");
}
