//! `delivery-counter`

use super::parts::{RUNS_AGAIN, Strength, at_key, level};
use super::words::List;
use super::{Lint, Subject};
use crate::diagnostic::Level;
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "delivery-counter",
    Level::Error,
    "a part is a receipt handle, or counts attempts or deliveries",
    include_str!("explain/delivery-counter.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    at_key(subject, report);
    for (part, strength) in subject.parts_in(List::DeliveryCounter) {
        let (path, shown) = (part.path, &part.shown);
        if strength == Strength::Warning {
            let message = format!("{shown} is equal for equal bytes in different objects");
            level(report.lint(&LINT, part.place(), message), strength)
                .help(format!("add the name of the object: `bucket + object_key + {path}`"))
                .note("two objects with the same content would be one request");
        } else {
            report
                .lint(&LINT, part.place(), format!("{shown} is another one with every delivery"))
                .help(subject.instead_of(part))
                .note(RUNS_AGAIN);
        }
    }
}
