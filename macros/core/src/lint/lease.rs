//! `ttl-below-lease`, `lease-above-visibility` and `lease-too-short`

use super::{DEFAULT_LEASE, Lint, SHORTEST_LEASE, SKEW_BUDGET, Subject, windows};
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

pub(super) const TOO_SHORT: Lint = Lint::new(
    "lease-too-short",
    Level::Error,
    "the lease is less than twice what clocks may differ by",
    include_str!("explain/lease-too-short.md"),
    check_short,
);

fn check_short(subject: &Subject<'_>, report: &mut Report) {
    let operation = subject.operation;
    let Some(lease) = operation.lease_milliseconds().filter(|lease| *lease < SHORTEST_LEASE) else { return };
    // One that follows from `source` is about the visibility timeout there.
    if operation.positions.lease == 0 || leaves_no_time(subject) {
        return;
    }
    report.return_to(operation.positions.lease);
    let message = format!("a lease of {} is refused by every call", ttl::short(lease));
    report
        .lint(&TOO_SHORT, &lease_place(subject), message)
        .help(format!("`lease = \"{}\"` or more", ttl::short(SHORTEST_LEASE)))
        .note(format!(
            "an owner stops {} before the end of its lease, by which clocks may differ, and must have as much left",
            ttl::short(SKEW_BUDGET)
        ));
}

/// Whether no lease at all fits into the visibility timeout: that is the mistake then.
fn leaves_no_time(subject: &Subject<'_>) -> bool {
    let visibility = subject.operation.sources.as_ref().and_then(windows::visibility);
    visibility.is_some_and(|visibility| visibility.time.saturating_sub(SKEW_BUDGET) < SHORTEST_LEASE)
}

fn check_ttl(subject: &Subject<'_>, report: &mut Report) {
    let operation = subject.operation;
    let (lease, which) = match (&operation.lease, operation.lease_milliseconds()) {
        (None, _) => (DEFAULT_LEASE, "default lease"),
        (Some(_), Some(lease)) => (lease, "lease"),
        (Some(_), None) => return,
    };
    let Some(ttl) = operation.ttl_milliseconds() else { return };
    let Some(Duration::Milliseconds { span, .. }) = &operation.ttl else { return };
    if ttl >= lease {
        return;
    }
    let positions = operation.positions;
    let long_enough = ttl::short(lease);
    let (follows, help) = if operation.lease.is_none() {
        ("", format!("`ttl = \"{long_enough}\"` or more, or a shorter `lease`"))
    } else if positions.lease == 0 {
        (
            ", which follows from the visibility timeout",
            format!("`ttl = \"{long_enough}\"` or more, or a shorter `lease`"),
        )
    } else {
        (
            "",
            format!(
                "`ttl = \"{long_enough}\"` or more: how late a duplicate can come, not how long a call runs"
            ),
        )
    };
    // A TTL of the policy has no token of its own.
    let place = if positions.ttl > 0 { Place::at(*span) } else { lease_place(subject) };
    report.return_to(if positions.ttl > 0 { positions.ttl } else { positions.lease });
    report
        .lint(
            &TTL_BELOW,
            &place,
            format!("the TTL of {} is below the {which} of {long_enough}{follows}", ttl::short(ttl)),
        )
        .help(help)
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
    let longest = visibility.time.saturating_sub(SKEW_BUDGET);
    if leaves_no_time(subject) {
        report.return_to(operation.positions.source);
        let place = visibility.span.map_or_else(|| sources.place.clone(), Place::at);
        let message =
            format!("a visibility timeout of {} leaves no time for a lease", ttl::short(visibility.time));
        report
            .lint(&ABOVE_VISIBILITY, &place, message)
            .help("`visibility = \"30s\"` or more, here and at the queue")
            .note(format!(
                "clocks may differ by {}, which a lease of {} or more must leave",
                ttl::short(SKEW_BUDGET),
                ttl::short(SHORTEST_LEASE)
            ));
        return;
    }
    let Some(lease) = operation.lease_milliseconds().filter(|lease| *lease > longest) else { return };
    report.return_to(operation.positions.lease);
    let message = format!(
        "a lease of {} does not end before the message is visible again, after {}",
        ttl::short(lease),
        ttl::short(visibility.time)
    );
    report
        .lint(&ABOVE_VISIBILITY, &lease_place(subject), message)
        .help(format!("`lease = \"{}\"` or less, or none: it follows from `source`", ttl::short(longest)))
        .note(format!(
            "a redelivery would find the lease of a dead call; clocks may differ by {}",
            ttl::short(SKEW_BUDGET)
        ));
}
