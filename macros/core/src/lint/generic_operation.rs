//! `generic-operation`

use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::{Generics, Type, TypeParam, TypeParamBound};

use super::{Lint, Subject, bounds, types, words};
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
    // One name mends all of them.
    let found = parameter(subject).or_else(|| opaque_argument(subject)).or_else(|| implementor(subject));
    let Some((who, span, what)) = found else { return };
    report.at_item();
    report
        .lint(&LINT, &Place::at(span), format!("{who} is part of {what}, but not of the operation's name"))
        .help(format!(
            "add a part that tells the types apart, with `op = \"{}\"`, or annotate a function around it for each type",
            operation.name()
        ))
        .note("instantiations with different types would answer each other's requests");
}

/// The first type parameter that decides something, and what.
fn parameter(subject: &Subject<'_>) -> Option<(String, Span, &'static str)> {
    let operation = subject.operation;
    let own = &operation.function.signature.generics;
    let around = operation.surroundings.as_ref().map(|around| &around.generics);
    let all = [Some(own), around].into_iter().flatten();
    let mut telling = all
        .flat_map(|generics| generics.type_params().filter(|parameter| !only_converts(parameter, generics)));
    telling.find_map(|parameter| {
        let name = parameter.ident.to_string();
        let what = decided_by(&name, subject)?;
        Some((format!("`{name}`"), parameter.ident.span(), what))
    })
}

/// `event: impl Event` is a type parameter without a name.
fn opaque_argument(subject: &Subject<'_>) -> Option<(String, Span, &'static str)> {
    subject.operation.function.parameters.iter().find_map(|parameter| {
        let opaque = types::opaque(&parameter.ty)?;
        let name = parameter.name.unraw().to_string();
        let what = used_in(subject, |root| root == name)?;
        let converts = opaque.bounds.iter().any(is_conversion);
        (!converts).then(|| (format!("the type of `{name}`"), opaque.impl_token.span, what))
    })
}

/// In a default method of a trait, `Self` is a type parameter.
fn implementor(subject: &Subject<'_>) -> Option<(String, Span, &'static str)> {
    let operation = subject.operation;
    operation.surroundings.as_ref().filter(|around| around.self_type.is_none())?;
    let holds = |ty: &Type| types::mentions(ty, "Self");
    let of_root = |root: &str| operation.function.parameter(root).is_some_and(|found| holds(&found.ty));
    let what = used_in(subject, of_root).or_else(|| holds(operation.output()).then_some("the result"))?;
    Some(("`Self`".to_owned(), operation.function.signature.ident.span(), what))
}

/// What the type parameter `name` decides.
fn decided_by(name: &str, subject: &Subject<'_>) -> Option<&'static str> {
    let operation = subject.operation;
    let owner = operation.surroundings.as_ref().and_then(|around| around.self_type.as_ref());
    let owner_is_generic = owner.is_some_and(|owner| types::mentions(owner, name));
    let holds = |ty: &Type| types::mentions(ty, name) || (owner_is_generic && types::mentions(ty, "Self"));
    let of_root = |root: &str| operation.function.parameter(root).is_some_and(|found| holds(&found.ty));
    used_in(subject, of_root).or_else(|| holds(operation.output()).then_some("the result"))
}

/// Where a path stands that begins at such a variable.
fn used_in(subject: &Subject<'_>, is_wanted: impl Fn(&str) -> bool) -> Option<&'static str> {
    if subject.parts.iter().any(|part| is_wanted(&part.path.root.text)) {
        return Some("the key");
    }
    let selections = subject.operation.validate.selections();
    let compared = selections.iter().any(|selection| is_wanted(&selection.path.root.text));
    compared.then_some("what is compared")
}

/// Whether the parameter only saves the caller a conversion: the body sees one type.
fn only_converts(parameter: &TypeParam, generics: &Generics) -> bool {
    bounds::of_parameter(parameter, generics).any(is_conversion)
}

/// `Into<String>`, `AsRef<str>`, `Fn() -> u8`
fn is_conversion(bound: &TypeParamBound) -> bool {
    bounds::is_one_of(bound, words::CONVERSIONS)
}
