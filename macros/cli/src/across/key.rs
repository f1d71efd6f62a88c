//! `same-key-other-ttl` and `key-changed`

use std::collections::BTreeMap;

use idempotency_macros_core::Operation;

use super::{Draft, KEY_CHANGED};
use crate::annotated::Annotated;
use crate::lock::{Difference, LockFile, What};
use crate::walk::Walked;

/// Operations of the product that share a key and disagree on what belongs to it.
pub(super) fn same_keys(walked: &Walked) -> Vec<Draft> {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut drafts = Vec::new();
    for (index, annotated) in walked.annotated.iter().enumerate() {
        let Some(operation) = annotated.operation.as_ref().filter(|operation| operation.is_complete()) else {
            continue;
        };
        if !annotated.is_product() {
            continue;
        }
        let Some(other_index) = first.get(&operation.key_shape()).copied() else {
            first.insert(operation.key_shape(), index);
            continue;
        };
        let other = &walked.annotated[other_index];
        // Two of one name are `operation-collision`, or one function under two conditions.
        let differs = other.operation.as_ref().filter(|other| other.name() != operation.name());
        if let Some(what) = differs.and_then(|other| disagreement(other, operation)) {
            drafts.push(same_key(annotated, index, (other_index, other), &what));
        }
    }
    drafts
}

fn same_key(annotated: &Annotated, index: usize, other: (usize, &Annotated), what: &str) -> Draft {
    let (other_index, other) = other;
    let name = |annotated: &Annotated| annotated.operation.as_ref().map_or("", Operation::name).to_owned();
    Draft {
        code: "same-key-other-ttl",
        about: vec![other_index, index],
        package: annotated.context.package,
        location: annotated.key_location(),
        message: format!("`{}` and `{}` have the same key, but {what}", name(other), name(annotated)),
        help: "give both the same `ttl` and `validate`, or keys that tell the requests apart".to_owned(),
        note: "where both belong to one business request, a late retry would be answered by one of them and run the other again"
            .to_owned(),
        related: vec![(other.key_location(), format!("the key of `{}`", name(other)))],
    }
}

fn disagreement(first: &Operation, second: &Operation) -> Option<String> {
    let ttl = |operation: &Operation| operation.ttl_text().unwrap_or_default();
    if first.ttl_milliseconds() != second.ttl_milliseconds() || ttl(first) != ttl(second) {
        return Some(format!("keep outcomes for `{}` and `{}`", ttl(first), ttl(second)));
    }
    (first.fingerprint() != second.fingerprint())
        .then(|| format!("compare `{}` and `{}`", first.fingerprint(), second.fingerprint()))
}

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
    wanted.map(|difference| draft(walked, lock, difference)).collect()
}

fn draft(walked: &Walked, lock: &LockFile, difference: Difference) -> Draft {
    let help = "put it back, or accept it with `cargo idempotent lock` and commit the file".to_owned();
    match difference {
        Difference::Changed { index, name, what, was, now, entry } => Draft {
            code: KEY_CHANGED,
            about: vec![index],
            package: walked.annotated[index].context.package,
            location: match what {
                What::Key => walked.annotated[index].key_location(),
                What::Result => walked.annotated[index].places.name.clone(),
                What::Fingerprint | What::FingerprintVersion => {
                    walked.annotated[index].places.attribute.clone()
                }
            },
            message: format!("the {what} of `{name}` is `{now}`; in the lock file it is `{was}`"),
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
