//! `key-changed`

use idempotency_macros_core::Operation;

use super::{Draft, KEY_CHANGED};
use crate::lock::{Difference, LockFile, What};
use crate::walk::Walked;

/// How much of the lock file must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// Only operations that are in the file and in the code.
    Changes,
    /// Also those in one of them only.
    All,
}

/// What differs from the lock file.
pub(crate) fn key_changed(walked: &Walked, lock: &LockFile, strictness: Strictness) -> Vec<Draft> {
    let differences = lock.differences(walked);
    let wanted = differences.into_iter().filter(|difference| {
        strictness == Strictness::All || matches!(difference, Difference::Changed { .. })
    });
    let (definitions, others): (Vec<Difference>, Vec<Difference>) =
        wanted.partition(|difference| definition(walked, difference).is_some());
    let mut drafts: Vec<Draft> =
        others.into_iter().map(|difference| draft(walked, lock, difference)).collect();
    // A type that changed is one change, however many results it stands in.
    let mut open = definitions;
    while let Some(first) = open.first().map(|first| definition(walked, first)) {
        let (same, rest) = open.into_iter().partition(|other| definition(walked, other) == first);
        drafts.extend(of_definition(walked, lock, same));
        open = rest;
    }
    drafts
}

/// The package and the name of a changed type, unless the operation allows that.
fn definition(walked: &Walked, difference: &Difference) -> Option<(usize, String)> {
    let Difference::Changed { index, what: What::Definition, now, .. } = difference else { return None };
    let annotated = &walked.annotated[*index];
    let mut allows = annotated.operation.iter().flat_map(Operation::allows);
    let is_allowed = allows.any(|allow| allow.code() == KEY_CHANGED);
    (!is_allowed).then(|| (annotated.context.package, now.clone()))
}

/// One finding about a type, at the first operation.
fn of_definition(walked: &Walked, lock: &LockFile, same: Vec<Difference>) -> Option<Draft> {
    let names: Vec<String> = same.iter().map(|difference| format!("`{}`", difference.name())).collect();
    let (_, changed) = definition(walked, same.first()?)?;
    let mut drafts = same.into_iter().map(|difference| draft(walked, lock, difference));
    let mut first = drafts.next()?;
    for other in drafts {
        first.related.push((other.location, "in its result as well".to_owned()));
        first.about.extend(other.about);
    }
    if let [before @ .., last] = names.as_slice()
        && !before.is_empty()
    {
        let all = format!("{} and {last}", before.join(", "));
        first.message =
            format!("`{changed}`, in the results of {all}, has other fields than in the lock file");
    }
    Some(first)
}

fn draft(walked: &Walked, lock: &LockFile, difference: Difference) -> Draft {
    let help = "put it back, or accept it with `cargo idempotent lock` and commit the file".to_owned();
    match difference {
        Difference::Changed { index, name, what, was, now, entry } => Draft {
            code: KEY_CHANGED,
            about: vec![index],
            package: walked.annotated[index].context.package,
            location: match what {
                What::Key | What::KeyType => walked.annotated[index].key_location(),
                What::Result | What::Definition => walked.annotated[index].places.name.clone(),
                What::Fingerprint | What::FingerprintVersion => {
                    walked.annotated[index].places.attribute.clone()
                }
            },
            message: what.message(&name, &was, &now),
            help,
            note: what.consequence().to_owned(),
            related: vec![(lock.location(entry, what.field()), "as it was".to_owned())],
        },
        Difference::Added { index, name } => Draft {
            code: KEY_CHANGED,
            about: vec![index],
            package: walked.annotated[index].context.package,
            location: walked.annotated[index].places.attribute.clone(),
            message: format!("`{name}` is not in the lock file"),
            help: "`cargo idempotent lock`, and commit the file".to_owned(),
            note: "without an entry a later change of its key goes unnoticed".to_owned(),
            related: Vec::new(),
        },
        Difference::Removed { package, name, entry } => Draft {
            code: KEY_CHANGED,
            about: Vec::new(),
            package,
            location: lock.location(entry, "name"),
            message: format!("no operation is called `{name}` any more"),
            help,
            note: "an operation under another name does not find the records of the old one".to_owned(),
            related: Vec::new(),
        },
    }
}
