//! `ttl-below-lease` and `lease-above-visibility`

use super::{Lint, SKEW_BUDGET, Subject, windows};
use crate::args::Duration;
use crate::diagnostic::{Level, Place};
use crate::report::Report;
use crate::ttl;

pub(super) const TTL_BELOW: Lint = Lint::new(
    "ttl-below-lease",
    Level::Error,
    "the outcome is kept for a shorter time than a claim",
    include_str!("explain/ttl-below-lease.md"),
    check_ttl,
);

pub(super) const ABOVE_VISIBILITY: Lint = Lint::new(
    "lease-above-visibility",
    Level::Error,
    "the message becomes visible again before the lease ends",
    include_str!("explain/lease-above-visibility.md"),
    check_visibility,
);

fn check_ttl(subject: &Subject<'_>, report: &mut Report) {
    let operation = subject.operation;
    let (Some(ttl), Some(lease)) = (operation.ttl_milliseconds(), operation.lease_milliseconds()) else {
        return;
    };
    let Some(Duration::Milliseconds { span, .. }) = &operation.ttl else { return };
    if ttl >= lease {
        return;
    }
    let positions = operation.positions;
    // A TTL of the policy has no token of its own.
    let place = if positions.ttl > 0 { Place::at(*span) } else { lease_place(subject) };
    report.return_to(if positions.ttl > 0 { positions.ttl } else { positions.lease });
    report
        .lint(
            &TTL_BELOW,
            &place,
            format!("the TTL of {} is below the lease of {}", ttl::short(ttl), ttl::short(lease)),
        )
        .help("`ttl` is how late a duplicate can come, `lease` the longest silence of a running call")
        .note("an outcome would be forgotten while its own claim would still be honoured");
}

fn lease_place(subject: &Subject<'_>) -> Place {
    match &subject.operation.lease {
        Some(Duration::Milliseconds { span, .. }) => Place::at(*span),
        _ => Place::at(subject.operation.name.span),
    }
}

fn check_visibility(subject: &Subject<'_>, report: &mut Report) {
    let operation = subject.operation;
    let Some(sources) = &operation.sources else { return };
    let Some(visibility) = windows::visibility(sources) else { return };
    let Some(longest) = visibility.checked_sub(SKEW_BUDGET).filter(|longest| *longest > 0) else {
        report.return_to(operation.positions.source);
        let message =
            format!("a visibility timeout of {} leaves no time for a lease", ttl::short(visibility));
        report
            .lint(&ABOVE_VISIBILITY, &sources.place, message)
            .help("`visibility = \"30s\"` or more, here and at the queue")
            .note(format!("clocks may differ by {}, which the lease must leave", ttl::short(SKEW_BUDGET)));
        return;
    };
    let Some(lease) = operation.lease_milliseconds().filter(|lease| *lease > longest) else { return };
    report.return_to(operation.positions.lease);
    let message = format!(
        "a lease of {} does not end before the message is visible again, after {}",
        ttl::short(lease),
        ttl::short(visibility)
    );
    report
        .lint(&ABOVE_VISIBILITY, &lease_place(subject), message)
        .help(format!("`lease = \"{}\"` or less, or none: it follows from `source`", ttl::short(longest)))
        .note(format!(
            "a redelivery would find the lease of a dead call; clocks may differ by {}",
            ttl::short(SKEW_BUDGET)
        ));
}
