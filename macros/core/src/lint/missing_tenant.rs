//! `missing-tenant`

use super::parts::at_key;
use super::{Lint, Subject, words};
use crate::diagnostic::{Level, Place};
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "missing-tenant",
    Level::Error,
    "the policy names a tenant part, and the key lacks it",
    include_str!("explain/missing-tenant.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    let operation = subject.operation;
    let (Some(tenant), None, true) = (&subject.policy.tenant, &operation.scope, operation.complete) else {
        return;
    };
    let wanted = words::normal(tenant);
    let holds = subject.parts.iter().any(|part| part.name == wanted || part.path.to_string() == *tenant);
    if holds {
        return;
    }
    at_key(subject, report);
    let place = match (operation.key.first(), operation.key.last()) {
        (Some(first), Some(last)) => first.part.place.to(&last.part.place),
        _ => Place::at(operation.name.span),
    };
    report
        .lint(&LINT, &place, format!("the key lacks `{tenant}`, which the policy of this package asks for"))
        .help(format!(
            "`{tenant} + {}`, or `scope = global` if tenants share the operation on purpose",
            operation.key_shape()
        ))
        .note("two tenants with the same ids would get each other's answers");
}
