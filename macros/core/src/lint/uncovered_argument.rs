//! `uncovered-argument`

use syn::Type;
use syn::ext::IdentExt as _;

use super::words::List;
use super::{Lint, Subject, bounds, fingerprint, types, words};
use crate::diagnostic::{Level, Place};
use crate::function::Parameter;
use crate::operation::Validate;
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
    let uncovered: Vec<Uncovered<'_>> = operation
        .function
        .parameters
        .iter()
        .filter_map(|parameter| {
            let name = parameter.name.unraw().to_string();
            let done = is_covered(&name, subject) || is_exempt(&name, parameter, subject);
            (!done).then(|| Uncovered { advice: advice(&name, parameter, subject), name, parameter })
        })
        .collect();
    // One line covers all of them: an argument of the attribute cannot be given a second time.
    let line = line(&uncovered, subject);
    for argument in &uncovered {
        let name = &argument.name;
        let partly = is_used_in_part(name, subject);
        let message = if partly {
            format!("`{name}` is used in part: a change in the rest of it would get the first answer")
        } else {
            format!("`{name}` is neither in the key nor compared: another one would get the first answer")
        };
        let help = match argument.advice {
            Advice::Parse => format!("take the parsed body as an argument and compare that; `{line}`"),
            _ => format!("`{line}`"),
        };
        report
            .lint(&LINT, &Place::at(argument.parameter.name.span()), message)
            .help(help)
            .note(argument.other_way(partly));
    }
}

/// An argument that nothing covers.
struct Uncovered<'a> {
    name: String,
    parameter: &'a Parameter,
    advice: Advice,
}

/// How it is to be covered.
enum Advice {
    Compare,
    /// Compare what the producer wrote: the envelope is another one each time.
    Within(String),
    /// Ignore the envelope, and compare what is parsed from it.
    Parse,
    /// Ignore what is another one with every retry.
    Changing,
    /// Ignore what does the work.
    Tool,
    /// Ignore what cannot be compared.
    NotSerializable,
}

fn advice(name: &str, parameter: &Parameter, subject: &Subject<'_>) -> Advice {
    let ty = &parameter.ty;
    let field = words::normal(parameter.fields.last().map_or(name, String::as_str));
    let own_type = parameter.whole.then_some(ty);
    let is_good = matches!(words::find(&field, subject.policy), Some((List::Good, _)));
    if fingerprint::is_volatile(&field, own_type, subject.policy) {
        return Advice::Changing;
    }
    let Some(ty) = own_type else { return Advice::Compare };
    if let Some(delivery) = types::delivery(ty) {
        return delivery.written(name).map_or(Advice::Parse, Advice::Within);
    }
    let generics = &subject.operation.function.signature.generics;
    if types::is_header_map(ty, &field) || (types::is_moment(ty) && !is_good) {
        Advice::Changing
    } else if types::is_tool(ty) || types::is_carried(ty) || words::CARRIED_NAMES.contains(&field.as_str()) {
        Advice::Tool
    } else if bounds::of(ty, generics).is_some_and(|bounds| !bounds.iter().any(bounds::is_serialize)) {
        Advice::NotSerializable
    } else {
        Advice::Compare
    }
}

impl Uncovered<'_> {
    /// What to select of it.
    fn selected(&self) -> Option<&str> {
        match &self.advice {
            Advice::Compare => Some(&self.name),
            Advice::Within(written) => Some(written),
            _ => None,
        }
    }

    fn is_ignored(&self) -> bool {
        !matches!(self.advice, Advice::Compare)
    }

    /// When the advice is wrong, or why it is not to compare it.
    fn other_way(&self, partly: bool) -> String {
        let name = &self.name;
        match self.advice {
            Advice::Compare | Advice::Within(_) | Advice::Parse => {
                let rest = if partly { "the rest of it" } else { "it" };
                format!("`ignore({name})`, if {rest} does not belong to the request")
            }
            Advice::Changing => {
                format!("`{name}` is another one with every retry, which comparing it would refuse")
            }
            Advice::Tool => format!("`{name}` only does the work; compare it, if the request says which one"),
            Advice::NotSerializable => {
                format!("`{name}` can be compared if its type implements `Serialize`, and the bounds say so")
            }
        }
    }
}

/// What to write in the attribute so that all of them are covered.
fn line(uncovered: &[Uncovered<'_>], subject: &Subject<'_>) -> String {
    let operation = subject.operation;
    let ignored = operation.ignored.iter().map(|name| name.unraw().to_string());
    let added =
        uncovered.iter().filter(|argument| argument.is_ignored()).map(|argument| argument.name.clone());
    let adds = uncovered.iter().any(Uncovered::is_ignored);
    let ignore = adds.then(|| format!("ignore({})", ignored.chain(added).collect::<Vec<_>>().join(", ")));
    let validate =
        selection_with(uncovered, &operation.validate).map(|text| format!("validate = \"{text}\""));
    validate.into_iter().chain(ignore).collect::<Vec<_>>().join(", ")
}

/// `validate` with what is to be compared added, in place of fields of it.
fn selection_with(uncovered: &[Uncovered<'_>], validate: &Validate) -> Option<String> {
    let added: Vec<&str> = uncovered.iter().filter_map(Uncovered::selected).collect();
    if added.is_empty() {
        return None;
    }
    let replaces =
        |root: &str| uncovered.iter().any(|argument| argument.name == root && argument.selected().is_some());
    let whole = |root: &str| added.contains(&root);
    let kept = validate.selections().iter().filter(|selection| !replaces(&selection.path.root.text));
    let kept = kept.map(|selection| selection.path.to_string());
    let selected = kept.chain(added.iter().map(|name| (*name).to_owned())).collect::<Vec<_>>().join(" + ");
    let excluded = validate.selections().iter().flat_map(|selection| &selection.excluded);
    let excluded = excluded.filter(|path| whole(&path.root.text) || !replaces(&path.root.text));
    let terms = [selected].into_iter().chain(excluded.map(ToString::to_string));
    Some(terms.collect::<Vec<_>>().join(" - "))
}

fn is_used_in_part(name: &str, subject: &Subject<'_>) -> bool {
    let mut selections = subject.operation.validate.selections().iter();
    subject.parts.iter().any(|part| part.path.root.text == name)
        || selections.any(|selection| selection.path.root.text == name)
}

fn is_covered(name: &str, subject: &Subject<'_>) -> bool {
    let operation = subject.operation;
    let in_key = subject.parts.iter().any(|part| part.path.root.text == name && part.path.is_whole());
    let selections = operation.validate.selections();
    let compared =
        selections.iter().any(|selection| selection.path.root.text == name && selection.path.is_whole());
    in_key || compared || operation.ignored.iter().any(|ignored| ignored.unraw() == name)
}

fn is_exempt(name: &str, parameter: &Parameter, subject: &Subject<'_>) -> bool {
    let added = subject.policy.names.get(words::EXEMPT).map_or(&[][..], Vec::as_slice);
    let field = parameter.fields.last().map_or(name, String::as_str);
    // A leading underscore says that the body does not read it.
    name.starts_with('_')
        || words::EXEMPT_NAMES.contains(&field)
        || added.iter().any(|added| added == field)
        || is_exempt_type(&parameter.ty, added)
        || bounds::of(&parameter.ty, &subject.operation.function.signature.generics)
            .is_some_and(|bounds| bounds.iter().any(bounds::is_call))
}

fn is_exempt_type(ty: &Type, added: &[String]) -> bool {
    if types::is_shared(ty) && types::is_tool(ty) {
        return true;
    }
    let ty = types::peeled(ty);
    if matches!(ty, Type::TraitObject(_) | Type::FnPtr(_)) {
        return true;
    }
    if let Some(inner) = types::optional(ty) {
        return is_exempt_type(inner, added);
    }
    let Some(last) = types::last_segment(ty) else { return false };
    words::EXEMPT_TYPES.contains(&last.as_str())
        || words::EXEMPT_SUFFIXES.iter().any(|suffix| last.ends_with(suffix))
        || added.contains(&last)
}
