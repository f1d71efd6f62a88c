//! `whole-payload`

use super::parts::{NamedPart, Strength, at_key, level};
use super::words::List;
use super::{Lint, Subject, types, words};
use crate::diagnostic::Level;
use crate::key::Path;
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "whole-payload",
    Level::Error,
    "the key is, or hashes, an entire payload",
    include_str!("explain/whole-payload.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    at_key(subject, report);
    let receiver = subject.parts.iter().filter(|part| part.path.root.text == "self" && part.path.is_whole());
    let named = subject.parts_in(List::WholePayload);
    let whole = named.iter().filter(|(part, strength)| *strength == Strength::Warning || is_payload(part));
    for (part, strength) in whole.copied().chain(receiver.map(|part| (part, Strength::Error))) {
        let (path, shown) = (part.path, &part.shown);
        if strength == Strength::Warning || part.name == DIGEST {
            let message = format!("{shown} recognises only repeats that are equal byte by byte");
            level(report.lint(&LINT, part.place(), message), strength)
                .help(subject.instead_of(part))
                .note("another order of fields or a new optional one would run the body a second time");
            continue;
        }
        let root = root_of(path);
        let message = if part.is_hashed() {
            format!("{shown} is hashed as a whole, so a repeat must be equal byte by byte")
        } else {
            format!("{shown} is the whole payload, so a repeat must be equal byte by byte")
        };
        report
            .lint(&LINT, part.place(), message)
            .help(format!("name one field of it, and compare the rest: `validate = \"{root}\"`"))
            .note("a changed payload would be another request instead of the error mismatch");
    }
}

/// The queue's own digest of a body.
const DIGEST: &str = "md5_of_body";

fn root_of(path: &Path) -> String {
    if path.root.text == "self" { "body".to_owned() } else { path.root.text.clone() }
}

/// Whether a part with the name of a payload is one.
fn is_payload(part: &NamedPart<'_>) -> bool {
    if part.ty.is_some_and(types::is_id) {
        return false;
    }
    // A field called `message` may be a text; a body is a body wherever it is read from.
    part.path.is_whole() || words::ALWAYS_PAYLOAD.contains(&part.name.as_str())
}
