//! Arguments that ask for each other, or contradict each other.

use proc_macro2::Span;
use syn::spanned::Spanned as _;

use crate::args::{Args, Argument, Completed, Duration, Mode, OnCrash, OnExpired};
use crate::diagnostic::Place;
use crate::report::Report;

pub(super) fn check(args: &Args, report: &mut Report) {
    tombstone(args, report);
    effect_timeout(args, report);
    migrate(args, report);
    observe(args, report);
}

/// The value of an argument that was read, and which argument it is.
fn read<T>(argument: Option<&Argument<T>>) -> Option<(&T, usize)> {
    argument.and_then(|argument| Some((argument.value.as_ref()?, argument.index)))
}

/// Late calls are refused for as long as something remembers them.
fn tombstone(args: &Args, report: &mut Report) {
    let rejects = match read(args.on_expired.as_ref()) {
        Some((OnExpired::Reject(span), index)) => Some((*span, index)),
        _ => None,
    };
    if let Some((span, index)) = rejects.filter(|_| args.tombstone.is_none()) {
        report.return_to(index);
        report
            .error(
                "contradicting-arguments",
                &Place::at(span),
                "after the TTL nothing is left that could reject a call",
            )
            .help("add `tombstone = \"30d\"`: for how long after the TTL late calls are rejected");
    }
    // A wrong value of `on_expired` is reported already, and may be meant as `reject`.
    let runs =
        args.on_expired.is_none() || matches!(read(args.on_expired.as_ref()), Some((OnExpired::Run(_), _)));
    if let Some((kept, index)) = read(args.tombstone.as_ref()).filter(|_| runs) {
        report.return_to(index);
        report
            .error("contradicting-arguments", &Place::at(duration_span(kept)), "a tombstone is kept, and nothing asks for it")
            .help("add `on_expired = reject`, or leave `tombstone` out")
            .note("with `on_expired = run` a call after the TTL runs the body, whether the record is there or not");
    }
}

/// Nobody is asked too early where nobody is asked.
fn effect_timeout(args: &Args, report: &mut Report) {
    if let Some((span, index)) = read(args.effect_timeout.as_ref()).filter(|_| args.reconcile.is_none()) {
        report.return_to(index);
        report
            .error(
                "contradicting-arguments",
                &Place::at(duration_span(span)),
                "`effect_timeout` says when `reconcile` may look, and there is none",
            )
            .help("add `reconcile = find_order`: a function that finds out whether the effect happened; or leave `effect_timeout` out");
    }
}

fn duration_span(duration: &Duration) -> Span {
    match duration {
        Duration::Milliseconds { span, .. } => *span,
        Duration::Expression(expression) => expression.span(),
    }
}

/// Version 1 has no predecessor.
fn migrate(args: &Args, report: &mut Report) {
    let Some((migrate, index)) = read(args.migrate.as_ref()) else { return };
    let is_first = match &args.version {
        None => true,
        Some(version) => version.value.is_some_and(|version| version.number == 1),
    };
    if is_first {
        report.return_to(index);
        report
            .error(
                "contradicting-arguments",
                &Place::of(migrate),
                "`migrate` reads older versions, and this is version 1",
            )
            .help("`version = 2`, and one more whenever the result type changes");
    }
}

/// What is promised to duplicates does not hold where they run.
fn observe(args: &Args, report: &mut Report) {
    if !matches!(read(args.mode.as_ref()), Some((Mode::Observe(_), _))) {
        return;
    }
    let completed = read(args.completed.as_ref()).and_then(|(policy, index)| match policy {
        Completed::Reject(span) => Some(("completed", "replay", Place::at(*span), index)),
        Completed::Replay(_) => None,
    });
    let on_crash = read(args.on_crash.as_ref()).and_then(|(policy, index)| match policy {
        OnCrash::Hold(span) => Some(("on_crash", "rerun", Place::at(*span), index)),
        OnCrash::Rerun(_) => None,
    });
    let on_expired = read(args.on_expired.as_ref()).and_then(|(policy, index)| match policy {
        OnExpired::Reject(span) => Some(("on_expired", "run", Place::at(*span), index)),
        OnExpired::Run(_) => None,
    });
    let reconcile =
        read(args.reconcile.as_ref()).map(|(probe, index)| ("reconcile", "", Place::of(probe), index));
    for (name, default, place, index) in [completed, on_crash, on_expired, reconcile].into_iter().flatten() {
        report.return_to(index);
        let diagnostic = report.error(
            "contradicting-arguments",
            &place,
            format!("`{name}` has no effect with `mode = observe`"),
        );
        if default.is_empty() {
            diagnostic.help(format!("leave `{name}` out, or protect: `mode = protect`"));
        } else {
            diagnostic.help(format!("`{name} = {default}`, or protect: `mode = protect`"));
        }
        diagnostic.note("an observed operation runs its body for every call, and only counts the duplicates");
    }
}
