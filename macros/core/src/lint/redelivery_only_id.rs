//! `redelivery-only-id`

use super::parts::{NamedPart, Strength, at_key, level};
use super::words::List;
use super::{Lint, Subject};
use crate::args::Link;
use crate::diagnostic::Level;
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "redelivery-only-id",
    Level::Warning,
    "a part is stable on redelivery, but new when the producer sends again or an operator redrives",
    include_str!("explain/redelivery-only-id.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    at_key(subject, report);
    let sources = subject.operation.sources.as_ref();
    let links = sources.map_or(&[][..], |sources| &sources.links);
    let resending = resending(links);
    for part in &subject.parts {
        let named =
            subject.parts_in(List::RedeliveryOnlyId).iter().any(|(found, _)| std::ptr::eq(*found, part));
        if !named && !is_event_id(part, links) {
            continue;
        }
        let shown = &part.shown;
        let message = match resending {
            Some(source) => format!("{shown} is new when the message is sent to `{source}` a second time"),
            None => format!("{shown} survives a redelivery, but not a second send"),
        };
        let strength = if resending.is_some() { Strength::Error } else { Strength::Warning };
        let diagnostic = report.lint(&LINT, part.place(), message);
        diagnostic.set_level(Level::Error);
        level(diagnostic, strength)
            .help("use an id that the producer puts into the message, for example `order_no`")
            .note("a producer that retries, or a redrive, makes a new message with a new id");
    }
}

/// The first source whose messages can be sent or redriven under a new id.
fn resending(links: &[Link]) -> Option<&'static str> {
    links.iter().find_map(|link| {
        if link.source.wraps() {
            resending(&link.inner)
        } else {
            link.source.resends.then_some(link.source.name)
        }
    })
}

/// The id of an event on a bus is the bus's, where a webhook's would be the producer's.
fn is_event_id(part: &NamedPart<'_>, links: &[Link]) -> bool {
    let from_event = part.name == "id" && part.before.last().is_some_and(|name| name == "event");
    from_event && links.iter().any(|link| link.source.name.starts_with("eventbridge"))
}
