//! `volatile-fingerprint` and `validate-covers-key-only`

use syn::Type;

use super::types::Delivery;
use super::words::{List, Rule};
use super::{Lint, Subject, parts, types, words};
use crate::diagnostic::Level;
use crate::key::Path;
use crate::operation::{Selection, Validate};
use crate::policy::Policy;
use crate::report::Report;

pub(super) const VOLATILE: Lint = Lint::new(
    "volatile-fingerprint",
    Level::Warning,
    "`validate` compares a value that changes with every attempt",
    include_str!("explain/volatile-fingerprint.md"),
    check_volatile,
);

pub(super) const KEY_ONLY: Lint = Lint::new(
    "validate-covers-key-only",
    Level::Warning,
    "`validate` compares nothing beyond the key",
    include_str!("explain/validate-covers-key-only.md"),
    check_key_only,
);

fn check_volatile(subject: &Subject<'_>, report: &mut Report) {
    report.return_to(subject.operation.positions.validate);
    for selection in subject.operation.validate.selections() {
        if let Some(delivery) = whole_delivery(selection, subject) {
            report_delivery(selection, delivery, report);
            continue;
        }
        let (name, _) = parts::split(&selection.path, subject.operation);
        let parameter = subject.operation.function.parameter(&selection.path.root.text);
        let own = parameter.filter(|found| found.whole && selection.path.is_whole());
        let ty = own.map(|found| &found.ty);
        let all_headers =
            selection.excluded.is_empty() && ty.is_some_and(|ty| types::is_header_map(ty, &name));
        if is_volatile(&name, ty, subject.policy) || all_headers {
            let path = &selection.path;
            let shown = parts::shown(path, subject.operation);
            report
                .lint(&VOLATILE, &path.place, format!("{shown} changes with every attempt"))
                .help(format!("take it out of `validate`; `ignore({})` if it is an argument", path.root.text))
                .note("every retry would be refused with the error mismatch");
        }
    }
}

/// Whether a value of that name, and of that type if one is known, is another one with every attempt.
pub(super) fn is_volatile(name: &str, ty: Option<&Type>, policy: &Policy) -> bool {
    // What only sounds like a clock value is not worth a warning here.
    let known = words::find(name, policy).filter(|found| *found != (List::Timestamp, Rule::Warned));
    let changes = matches!(
        known,
        Some((
            List::PerInvocationId | List::TraceId | List::Timestamp | List::Random | List::DeliveryCounter,
            _
        ))
    );
    let is_date = matches!(known, Some((List::Timestamp, _))) && ty.is_some_and(types::is_date);
    changes && !is_date && !ty.is_some_and(types::is_bool)
}

/// The argument that is selected, if it is one that a service delivers; with something excluded it is not whole.
fn whole_delivery(selection: &Selection, subject: &Subject<'_>) -> Option<Delivery> {
    let parameter = subject.operation.function.parameter(&selection.path.root.text)?;
    let whole = parameter.whole && selection.path.is_whole() && selection.excluded.is_empty();
    types::delivery(&parameter.ty).filter(|_| whole)
}

fn report_delivery(selection: &Selection, delivery: Delivery, report: &mut Report) {
    let path = &selection.path;
    let name = &path.root.text;
    let help = match delivery.written(name) {
        Some(written) => format!("compare what was sent: `validate = \"{written}\", ignore({name})`"),
        None => format!("take the parsed body as an argument and compare that; `ignore({name})`"),
    };
    report
        .lint(&VOLATILE, &path.place, format!("`{path}` holds what is another with every delivery"))
        .help(help)
        .note("every retry would be refused with the error mismatch");
}

fn check_key_only(subject: &Subject<'_>, report: &mut Report) {
    let operation = subject.operation;
    let Validate::Selected(selections) = &operation.validate else { return };
    let in_key = |path: &Path| {
        // A hash or another case of a value is as much as the value.
        subject.parts.iter().any(|part| {
            let (part, path) = (part.path.to_string(), path.to_string());
            path == part || path.strip_prefix(&part).is_some_and(|rest| rest.starts_with(['.', '[', '?']))
        })
    };
    if !operation.complete || !selections.iter().all(|selection| in_key(&selection.path)) {
        return;
    }
    if let (Some(first), Some(last)) = (selections.first(), selections.last()) {
        report.return_to(operation.positions.validate);
        report
            .lint(
                &KEY_ONLY,
                &first.path.place.to(&last.path.place),
                "`validate` compares nothing beyond the key",
            )
            .help("name what must be equal in a repeated call, or write `validate = none`")
            .note("what stands in the key is equal in every repeated call");
    }
}
