//! `key-changed`

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
