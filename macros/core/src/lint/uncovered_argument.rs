//! `uncovered-argument`

use syn::Type;
use syn::ext::IdentExt as _;

use super::{Lint, Subject, types, words};
use crate::diagnostic::{Level, Place};
use crate::function::Parameter;
use crate::operation::Validate;
use crate::policy::Policy;
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "uncovered-argument",
    Level::Error,
    "an argument is neither in the key, nor compared, nor ignored on purpose",
    include_str!("explain/uncovered-argument.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    let operation = subject.operation;
    // After a mistake in the attribute nobody knows what it would have covered.
    if !operation.complete {
        return;
    }
    report.at_item();
    for parameter in &operation.function.parameters {
        let name = parameter.name.unraw().to_string();
        if is_covered(&name, subject) || is_exempt(&name, parameter, subject.policy) {
            continue;
        }
        let partly = subject.parts.iter().any(|part| part.path.root.text == name)
            || operation.validate.selections().iter().any(|selection| selection.path.root.text == name);
        let message = if partly {
            format!("`{name}` is used in part: a change in the rest of it would get the first answer")
        } else {
            format!("`{name}` is neither in the key nor compared: another one would get the first answer")
        };
        if !partly && types::is_tool(&parameter.ty) {
            report
                .lint(&LINT, &Place::at(parameter.name.span()), message)
                .help(format!("`ignore({name})`, if it only does the work"))
                .note(format!("`validate = \"{name}\"`, if the request says which one"));
            continue;
        }
        let rest = if partly { "the rest of it" } else { "it" };
        report
            .lint(&LINT, &Place::at(parameter.name.span()), message)
            .help(cover(&name, parameter, &operation.validate))
            .note(format!("`ignore({name})`, if {rest} does not belong to the request"));
    }
}

/// What to write so that the argument is covered.
fn cover(name: &str, parameter: &Parameter, validate: &Validate) -> String {
    let delivery = types::delivery(&parameter.ty).filter(|_| parameter.whole);
    match delivery.map(|delivery| delivery.written(name)) {
        None => format!("`validate = \"{}\"`", selection_with(name, name, validate)),
        // The envelope is another one each time.
        Some(Some(written)) => {
            format!("`validate = \"{}\", ignore({name})`", selection_with(name, &written, validate))
        }
        Some(None) => format!("take the parsed body as an argument and compare that; `ignore({name})`"),
    }
}

/// `validate` with `added` of the argument `name` added, in place of fields of it.
fn selection_with(name: &str, added: &str, validate: &Validate) -> String {
    let others = validate.selections().iter().filter(|selection| selection.path.root.text != name);
    let mut selected: Vec<String> = others.map(|selection| selection.path.to_string()).collect();
    selected.push(added.to_owned());
    let excluded = validate.selections().iter().flat_map(|selection| &selection.excluded);
    let excluded = excluded.filter(|path| added == name || path.root.text != name);
    let excluded = excluded.map(ToString::to_string);
    [selected.join(" + ")].into_iter().chain(excluded).collect::<Vec<_>>().join(" - ")
}

fn is_covered(name: &str, subject: &Subject<'_>) -> bool {
    let operation = subject.operation;
    let in_key = subject.parts.iter().any(|part| part.path.root.text == name && part.path.is_whole());
    let selections = operation.validate.selections();
    let compared =
        selections.iter().any(|selection| selection.path.root.text == name && selection.path.is_whole());
    in_key || compared || operation.ignored.iter().any(|ignored| ignored.unraw() == name)
}

fn is_exempt(name: &str, parameter: &Parameter, policy: &Policy) -> bool {
    let added = policy.names.get(words::EXEMPT).map_or(&[][..], Vec::as_slice);
    let field = parameter.fields.last().map_or(name, String::as_str);
    // A leading underscore says that the body does not read it.
    name.starts_with('_')
        || words::EXEMPT_NAMES.contains(&field)
        || added.iter().any(|added| added == field)
        || is_exempt_type(&parameter.ty, added)
}

fn is_exempt_type(ty: &Type, added: &[String]) -> bool {
    if types::is_shared(ty) && types::is_tool(ty) {
        return true;
    }
    let ty = types::peeled(ty);
    match ty {
        Type::TraitObject(_) | Type::FnPtr(_) => return true,
        Type::ImplTrait(opaque) => {
            use quote::ToTokens as _;
            let bounds = opaque.bounds.to_token_stream().to_string();
            return ["Fn", "FnMut", "FnOnce", "AsyncFn"].iter().any(|kind| bounds.starts_with(kind));
        }
        _ => {}
    }
    if let Some(inner) = types::optional(ty) {
        return is_exempt_type(inner, added);
    }
    let Some(last) = types::last_segment(ty) else { return false };
    words::EXEMPT_TYPES.contains(&last.as_str())
        || words::EXEMPT_SUFFIXES.iter().any(|suffix| last.ends_with(suffix))
        || added.contains(&last)
}
