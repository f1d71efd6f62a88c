//! `missing-tenant`

use super::parts::{NamedPart, at_key};
use super::{Lint, Subject, words};
use crate::args::Scope;
use crate::diagnostic::{Level, Place};
use crate::key;
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "missing-tenant",
    Level::Error,
    "the policy names a tenant part, and the key lacks it",
    include_str!("explain/missing-tenant.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    match &subject.operation.scope {
        Some(scope) => check_scope(subject, *scope, report),
        None => check_key(subject, report),
    }
}

/// A key with a tenant in it is shared by none.
fn check_scope(subject: &Subject<'_>, scope: Scope, report: &mut Report) {
    let wanted = subject.policy.tenant.as_deref();
    let part = subject.parts.iter().find(|part| match wanted {
        Some(tenant) => is_tenant(part, tenant),
        None => ["tenant", "tenant_id"].contains(&part.name.as_str()),
    });
    let Some(part) = part else { return };
    report.return_to(subject.operation.positions.scope);
    let message = format!("the key holds {}, so no two tenants share it", part.shown);
    report
        .error("scope-and-tenant", &Place::at(scope.span), message)
        .help(format!("remove `scope = global`, or `{}` from the key", part.path));
}

fn is_tenant(part: &NamedPart<'_>, tenant: &str) -> bool {
    part.name == words::normal(tenant) || part.path.to_string() == tenant
}

fn check_key(subject: &Subject<'_>, report: &mut Report) {
    let operation = subject.operation;
    let (Some(tenant), true) = (&subject.policy.tenant, operation.complete) else { return };
    if subject.parts.iter().any(|part| is_tenant(part, tenant)) {
        return;
    }
    at_key(subject, report);
    let place = match (operation.key.first(), operation.key.last()) {
        (Some(first), Some(last)) => first.part.place.to(&last.part.place),
        _ => Place::at(operation.name.span),
    };
    let root = key::first_path(tenant).map(|(path, _)| path.root.text);
    let taken = match root {
        Some(root) if root != "self" && operation.function.binding(&root).is_none() => {
            format!("take `{root}` as an argument, for ")
        }
        _ => String::new(),
    };
    report
        .lint(&LINT, &place, format!("the key lacks `{tenant}`, which the policy of this package asks for"))
        .help(format!(
            "{taken}`{tenant} + {}`, or `scope = global` if tenants share the operation on purpose",
            operation.key_shape()
        ))
        .note("two tenants with the same ids would get each other's answers");
}
