//! `same-key-other-ttl`

use idempotency_macros_core::Operation;

use super::collision::{COLLISION, is_allowed};
use super::{Draft, exclude_each_other};
use crate::annotated::Annotated;
use crate::walk::Walked;

/// Operations that share their records on purpose, and disagree on what belongs to them.
///
/// The name of an operation is always stored with its key, so only equal names can share a record. Two of one name are
/// `operation-collision`, which says to give them two names; what is left are the forms of one operation under opposite
/// conditions, and pairs whose collision is allowed. Packages may have namespaces of their own, and are not compared.
pub(super) fn same_keys(walked: &Walked) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (index, (annotated, operation)) in complete(walked) {
        let earlier = complete(walked).take_while(|(earlier, _)| *earlier < index);
        let differing = earlier.filter_map(|(other_index, (other, other_operation))| {
            let shares = other.context.package == annotated.context.package
                && other_operation.name() == operation.name()
                && other_operation.key_shape() == operation.key_shape()
                && share_on_purpose(walked, other, annotated);
            let what = shares.then(|| disagreement(other_operation, operation)).flatten()?;
            Some(draft((other_index, other), (index, annotated), operation.name(), what))
        });
        drafts.extend(differing.take(1));
    }
    drafts
}

/// The operations of the product, each with its index.
fn complete(walked: &Walked) -> impl Iterator<Item = (usize, (&Annotated, &Operation))> {
    walked.annotated.iter().enumerate().filter_map(|(index, annotated)| {
        let operation = annotated.operation.as_ref()?;
        (annotated.is_product() && operation.is_complete()).then_some((index, (annotated, operation)))
    })
}

fn share_on_purpose(walked: &Walked, first: &Annotated, second: &Annotated) -> bool {
    let policy = &walked.packages[second.context.package].policy;
    exclude_each_other(first, second)
        || policy.allow.iter().any(|code| code == COLLISION)
        || is_allowed(first)
        || is_allowed(second)
}

fn draft(first: (usize, &Annotated), second: (usize, &Annotated), name: &str, what: (String, &str)) -> Draft {
    let ((first_index, first), (index, annotated), (what, note)) = (first, second, what);
    Draft {
        code: "same-key-other-ttl",
        about: vec![first_index, index],
        package: annotated.context.package,
        location: annotated.key_location(),
        message: format!("two functions share the records of `{name}`, but {what}"),
        help: "give both the same `ttl` and `validate`".to_owned(),
        note: note.to_owned(),
        related: vec![(first.key_location(), "the same key".to_owned())],
    }
}

/// What they disagree on, and what comes of it.
fn disagreement(first: &Operation, second: &Operation) -> Option<(String, &'static str)> {
    let ttl = |operation: &Operation| operation.ttl_text().unwrap_or_default();
    if first.ttl_milliseconds() != second.ttl_milliseconds() || ttl(first) != ttl(second) {
        let what = format!("keep outcomes for `{}` and `{}`", ttl(first), ttl(second));
        return Some((what, "how late a duplicate may come then depends on which of them ran"));
    }
    let (first, second) = (first.fingerprint(), second.fingerprint());
    let note = "one refuses as another request what the other has recorded";
    (first != second).then(|| (format!("compare `{first}` and `{second}`"), note))
}
