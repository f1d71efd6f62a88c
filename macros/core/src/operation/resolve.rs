//! Names of the attribute against names of the signature.

use proc_macro2::Ident;
use syn::ext::IdentExt as _;

use super::{KeyPart, Named, Selection, Validate, everything};
use crate::args::{self, Args};
use crate::diagnostic::Place;
use crate::function::Function;
use crate::key::{self, OPERATION, Part, PartKind, Path, Step, StepKind, ValidateExpression};
use crate::report::Report;
use crate::suggest;

/// `op = "…"`, or the name of the function.
pub(super) fn operation_name(args: &Args, function: &Function, report: &mut Report) -> Option<Named> {
    let explicit = args.op.as_ref();
    if explicit.is_none()
        && let Some(parameter) = function.binding(OPERATION)
    {
        report
            .error(
                "reserved-parameter",
                &Place::at(parameter.span()),
                "`op` is the operation in a key, not a parameter",
            )
            .help("rename the parameter, or name the operation: `op = \"orders.create\"`")
            .note(
                "with an explicit `op = …` the word means the parameter; the operation is stored in any case",
            );
    }
    if let Some(explicit) = explicit {
        return explicit.value.as_ref().map(|name| Named { text: name.text.clone(), span: name.span });
    }
    let ident = &function.signature.ident;
    let text = ident.unraw().to_string();
    if !args::is_operation_name(&text) {
        report
            .error(
                "bad-operation-name",
                &Place::at(ident.span()),
                format!("`{text}` cannot name an operation"),
            )
            .help("`op = \"orders.create\"` in the attribute")
            .note(args::NAMES);
        return None;
    }
    Some(Named { text, span: ident.span() })
}

/// The parts of the key, `op` left out: the operation is always stored. Parts with a mistake are left out as well,
/// and then the second value is `false`.
pub(super) fn key(args: &Args, function: &Function, report: &mut Report) -> (Vec<KeyPart>, bool) {
    let Some(argument) = &args.key else { return (Vec::new(), false) };
    let Some(source) = &argument.value else { return (Vec::new(), false) };
    report.return_to(argument.index);
    let expression = key::parse_key(source, report);
    let before = report.len();
    let mut seen: Vec<String> = Vec::new();
    let mut parts = Vec::new();
    let mut has_argument = false;
    for mut part in expression.parts {
        let shown = part.to_string();
        if seen.contains(&shown) {
            report
                .error("duplicate-part", &part.place, format!("`{shown}` stands twice in `key`"))
                .help("remove one of them");
            continue;
        }
        seen.push(shown);
        if let PartKind::Operation = part.kind {
            // A parameter of that name is legal only beside `op = …`, and then it is what the word means.
            match function.binding(OPERATION) {
                Some(_) => part.kind = PartKind::Path(parameter_path(&part)),
                None => continue,
            }
        }
        has_argument |= part.path().is_some();
        if !expression.legible && part.path().is_some_and(|path| !is_known(&path.root.text, function)) {
            continue;
        }
        let root = part.path().map(|path| root(path, "key", function, report));
        match root {
            None => parts.push(KeyPart { part, root: None }),
            Some(Some(root)) => parts.push(KeyPart { part, root: Some(root) }),
            Some(None) => {}
        }
    }
    if !has_argument && expression.complete {
        report
            .error("constant-key", &source.place(), "the key holds no argument, so all calls would be one")
            .help(example(function));
    }
    (parts, expression.complete && report.len() == before)
}

fn parameter_path(part: &Part) -> Path {
    let root = key::Name { text: OPERATION.to_owned(), place: part.place.clone() };
    Path { root, steps: Vec::new(), place: part.place.clone() }
}

fn example(function: &Function) -> String {
    let first =
        function.bindings.first().map_or_else(|| "order_no".to_owned(), |name| name.unraw().to_string());
    format!("name what distinguishes two requests, for example `{first} + op`")
}

/// What `validate` selects; `None` if something was reported.
pub(super) fn validate(args: &Args, function: &Function, report: &mut Report) -> Option<Validate> {
    let Some(argument) = &args.validate else { return Some(Validate::Missing) };
    report.return_to(argument.index);
    let source = argument.value.as_ref()?;
    if everything::report(source, args, function, report) {
        return None;
    }
    let expression = key::parse_validate(source, report)?;
    let ValidateExpression::Sum { selected, excluded } = expression else { return Some(Validate::Nothing) };
    let before = report.len();
    let mut selections: Vec<Selection> = Vec::new();
    for path in selected {
        let Some(root) = root(&path, "validate", function, report) else { continue };
        let covering =
            selections.iter().find(|other| covers(&other.path, &path) || covers(&path, &other.path));
        if let Some(other) = covering {
            report_covered(&other.path, &path, report);
            continue;
        }
        selections.push(Selection { path, root, excluded: Vec::new() });
    }
    let complete = report.len() == before;
    for path in excluded {
        // Without its selection an exclusion would only repeat the mistake.
        if root(&path, "validate", function, report).is_some() && complete {
            exclude(path, &mut selections, report);
        }
    }
    (report.len() == before).then_some(Validate::Selected(selections))
}

fn report_covered(first: &Path, second: &Path, report: &mut Report) {
    let message = if covers(first, second) && covers(second, first) {
        format!("`{second}` stands twice in `validate`")
    } else if covers(first, second) {
        format!("`{second}` is compared already, as a field of `{first}`")
    } else {
        format!("`{second}` compares `{first}` a second time")
    };
    report.error("duplicate-part", &second.place, message).help("remove one of them");
}

fn exclude(path: Path, selections: &mut [Selection], report: &mut Report) {
    let inside = selections.iter_mut().find(|selection| covers(&selection.path, &path));
    let Some(selection) = inside else {
        let message = format!("`{path}` is not inside anything that `validate` selects");
        let selected: Vec<String> = selections.iter().map(|selection| selection.path.to_string()).collect();
        report
            .error("exclusion-outside", &path.place, message)
            .help(format!("remove `- {path}`, or select the value it is a field of"))
            .note(format!("`validate` selects {}", suggest::list(selected.iter().map(String::as_str))));
        return;
    };
    if path.steps.len() == selection.path.steps.len() {
        report
            .error("exclusion-outside", &path.place, format!("`{path}` is selected and excluded"))
            .help("exclude a field of it, or select something else");
        return;
    }
    if let Some(other) = selection.excluded.iter().find(|other| covers(other, &path) || covers(&path, other))
    {
        let same = covers(other, &path) && covers(&path, other);
        let message = if same {
            format!("`{path}` is excluded twice")
        } else {
            format!("`{path}` and `{other}` exclude the same value")
        };
        report.error("duplicate-part", &path.place, message).help("remove one of them");
        return;
    }
    selection.excluded.push(path);
}

/// Whether `inner` is `outer` or lies inside it.
fn covers(outer: &Path, inner: &Path) -> bool {
    let kinds = |steps: &[Step]| steps.iter().map(|step| step.kind.clone()).collect::<Vec<StepKind>>();
    outer.root.text == inner.root.text && kinds(&inner.steps).starts_with(&kinds(&outer.steps))
}

/// Names in `ignore(..)`: known, single, and not used elsewhere; `false` if one was reported.
pub(super) fn ignore(
    args: &Args,
    key: &[KeyPart],
    validate: Option<&[Selection]>,
    function: &Function,
    report: &mut Report,
) -> bool {
    let Some(argument) = &args.ignore else { return true };
    let Some(names) = &argument.value else { return false };
    let before = report.len();
    report.return_to(argument.index);
    // What is used in part can be ignored for the rest of it.
    let used_in = |name: &str| {
        let in_key = key.iter().filter_map(|part| part.part.path());
        let in_validate = validate.unwrap_or_default().iter().map(|selection| &selection.path);
        let whole = |path: &Path| path.root.text == name && path.is_whole();
        if in_key.into_iter().any(whole) {
            Some("key")
        } else {
            in_validate.into_iter().any(whole).then_some("validate")
        }
    };
    for (index, ident) in names.iter().enumerate() {
        let place = Place::at(ident.span());
        let name = ident.unraw().to_string();
        if names.iter().take(index).any(|earlier| earlier == ident) {
            let message = format!("`{name}` stands twice in `ignore`");
            report.error("duplicate-part", &place, message).help("remove one of them");
        } else if !is_known(&name, function) {
            report_unknown(&name, &place, "ignore", function, report);
        } else if let Some(argument) = used_in(&name) {
            let message = format!("`{name}` is ignored, but `{argument}` uses it");
            report.error("ignored-and-used", &place, message).help(format!("remove `{name}` from `ignore`"));
        }
    }
    report.len() == before
}

fn is_known(name: &str, function: &Function) -> bool {
    (name == "self" && function.receiver.is_some()) || function.binding(name).is_some()
}

/// The variable a path begins at.
fn root(path: &Path, argument: &str, function: &Function, report: &mut Report) -> Option<Ident> {
    let name = path.root.text.as_str();
    if name == "self" {
        if function.receiver.is_none() {
            report
                .error("unknown-argument", &path.root.place, "this function takes no `self`")
                .note(known(function));
        }
        return function.receiver.clone();
    }
    let binding = function.binding(name);
    if binding.is_none() {
        if name == OPERATION {
            let message = if argument == "key" {
                "`op` is the operation; it has no fields"
            } else {
                "`op` has no meaning in `validate`"
            };
            report.error("unknown-argument", &path.place, message).help("remove it");
        } else {
            report_unknown(name, &path.root.place, argument, function, report);
        }
    }
    binding.cloned()
}

fn report_unknown(name: &str, place: &Place, argument: &str, function: &Function, report: &mut Report) {
    let names: Vec<String> = function.bindings.iter().map(|binding| binding.unraw().to_string()).collect();
    let message = format!("unknown parameter `{name}` in `{argument}`");
    let diagnostic = report.error("unknown-argument", place, message);
    if let Some(meant) = suggest::closest(name, names.iter().map(String::as_str)) {
        diagnostic.help(format!("did you mean `{meant}`?"));
    }
    diagnostic.note(known(function));
}

fn known(function: &Function) -> String {
    let receiver = function.receiver.as_ref().map(|_| "self".to_owned());
    let names = function.bindings.iter().map(|binding| binding.unraw().to_string());
    let names: Vec<String> = receiver.into_iter().chain(names).collect();
    match names.as_slice() {
        [] => "the function has no parameters".to_owned(),
        [only] => format!("the only parameter is `{only}`"),
        names => format!("parameters are {}", suggest::list(names.iter().map(String::as_str))),
    }
}
