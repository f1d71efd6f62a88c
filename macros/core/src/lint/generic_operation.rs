//! `generic-operation`

use super::{Lint, Subject, types};
use crate::diagnostic::{Level, Place};
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "generic-operation",
    Level::Warning,
    "a type parameter tells operations apart that share one name",
    include_str!("explain/generic-operation.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    let operation = subject.operation;
    if operation.positions.op > 0 {
        return;
    }
    for parameter in operation.function.signature.generics.type_params() {
        let name = parameter.ident.to_string();
        let of_root = |root: &str| {
            operation.function.parameter(root).is_some_and(|parameter| types::mentions(&parameter.ty, &name))
        };
        let in_key = subject.parts.iter().any(|part| of_root(&part.path.root.text));
        let selections = operation.validate.selections();
        let in_validate = selections.iter().any(|selection| of_root(&selection.path.root.text));
        let what = if in_key {
            "the key"
        } else if in_validate {
            "what is compared"
        } else if types::mentions(operation.output(), &name) {
            "the result"
        } else {
            continue;
        };
        report.at_item();
        report
            .lint(
                &LINT,
                &Place::at(parameter.ident.span()),
                format!("`{name}` is part of {what}, but not of the operation's name"),
            )
            .help(format!("name the operation: `op = \"{}\"`", operation.name()))
            .note("instantiations with different types would answer each other's requests");
    }
}
