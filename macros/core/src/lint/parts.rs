//! The parts of a key as the lints see them: a name, what it is read from, and the list it stands in.

use syn::Type;
use syn::ext::IdentExt as _;

use super::words::{self, List, Rule, receiver};
use super::{Subject, types};
use crate::diagnostic::{Diagnostic, Place};
use crate::key::{Function, Part, PartKind, Path, StepKind};
use crate::operation::Operation;
use crate::policy::Policy;
use crate::report::Report;

/// A part that begins at an argument.
pub(super) struct NamedPart<'a> {
    pub(super) path: &'a Path,
    /// The path as messages name it.
    pub(super) shown: String,
    /// The last name in it, as the lists spell it.
    pub(super) name: String,
    /// The names before that.
    pub(super) before: Vec<String>,
    pub(super) receiver: Receiver,
    pub(super) list: Option<(List, Rule)>,
    /// The functions around it.
    pub(super) functions: Vec<Function>,
    /// The type of the argument, if the part is the argument itself.
    pub(super) ty: Option<&'a Type>,
}

/// What a value is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Receiver {
    /// It is an argument itself, or a field of `self`.
    Bare,
    /// The circumstances of the call.
    Context,
    /// What the caller or producer wrote.
    Payload,
    /// Something else.
    Other,
}

/// How sure a lint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    Error,
    Warning,
}

impl NamedPart<'_> {
    pub(super) fn place(&self) -> &Place {
        &self.path.place
    }

    pub(super) fn is_in(&self, list: List) -> bool {
        self.list.is_some_and(|(found, _)| found == list)
    }

    pub(super) fn is_hashed(&self) -> bool {
        self.functions.contains(&Function::Hash)
    }

    /// Neither a scope nor a classifier: something that can tell two requests apart.
    pub(super) fn distinguishes(&self) -> bool {
        !self.is_in(List::Scope) && !self.is_in(List::Classifier) && !self.ty.is_some_and(types::is_bool)
    }
}

/// All parts of `operation` that begin at an argument.
pub(super) fn named<'a>(operation: &'a Operation, policy: &Policy) -> Vec<NamedPart<'a>> {
    operation.key.iter().filter_map(|part| one(&part.part, operation, policy)).collect()
}

fn one<'a>(part: &'a Part, operation: &'a Operation, policy: &Policy) -> Option<NamedPart<'a>> {
    let path = part.path()?;
    let (name, before) = split(path, operation);
    let ty = if path.is_whole() {
        operation
            .function
            .parameter(&path.root.text)
            .filter(|parameter| parameter.whole)
            .map(|parameter| &parameter.ty)
    } else {
        None
    };
    let list = of_header(&name, &before, policy)
        .or_else(|| words::find(&name, policy).map(|found| of_owner(found, &name, &before, policy)));
    let functions = functions(part);
    let list = list.and_then(|found| of_type(found, ty, &functions));
    let shown = shown(path, operation);
    Some(NamedPart { receiver: receiver(&before), name, before, list, functions, ty, path, shown })
}

/// The path as messages name it: where a pattern binds a field under another name, what is said is about the field.
pub(super) fn shown(path: &Path, operation: &Operation) -> String {
    let (root, text) = (path.root.text.as_str(), path.to_string());
    let field = operation.function.parameter(root).and_then(|parameter| parameter.fields.last());
    match (field, text.strip_prefix(root)) {
        (Some(field), Some(rest)) if field != root => format!("`{field}{rest}` (bound as `{text}`)"),
        _ => format!("`{text}`"),
    }
}

/// A calendar date is no clock value whatever it is called, and a UUID is unique everywhere.
fn of_type(found: (List, Rule), ty: Option<&Type>, functions: &[Function]) -> Option<(List, Rule)> {
    let is_date = functions.contains(&Function::Date) || ty.is_some_and(types::is_date);
    match found {
        (List::Timestamp, _) if is_date => Some((List::Classifier, Rule::Plain)),
        (List::LocalId, _) if ty.is_some_and(types::is_unique) => None,
        found => Some(found),
    }
}

/// `headers['Date']` is a `date_header`, and no date of the business.
fn of_header(name: &str, before: &[String], policy: &Policy) -> Option<(List, Rule)> {
    let header = before.last().is_some_and(|owner| owner.ends_with("headers"));
    if header { words::find(&format!("{name}_header"), policy) } else { None }
}

/// `user.id` is a `user_id`, and no id of its own.
fn of_owner(found: (List, Rule), name: &str, before: &[String], policy: &Policy) -> (List, Rule) {
    let owner = before.last().filter(|_| name == "id");
    let id = owner.and_then(|owner| words::find(&format!("{owner}_id"), policy));
    id.filter(|(list, _)| matches!(list, List::Scope | List::Entity)).unwrap_or(found)
}

/// The last name of a path and those before it, as the lists spell them; the first `self` is left out.
///
/// A name that a struct pattern binds is the field that it is read from, whatever it is called.
pub(super) fn split(path: &Path, operation: &Operation) -> (String, Vec<String>) {
    let fields = path.steps.iter().filter_map(|step| match &step.kind {
        StepKind::Field(name) | StepKind::Lookup(name) => Some(name.as_str()),
        StepKind::Index(_) | StepKind::Present => None,
    });
    let bound = operation.function.parameter(&path.root.text).map_or(&[][..], |found| &found.fields);
    let root = if bound.is_empty() { Some(path.root.text.as_str()) } else { None };
    let mut names: Vec<String> =
        bound.iter().map(String::as_str).chain(root).chain(fields).map(words::normal).collect();
    let last = names.pop().unwrap_or_default();
    if names.first().is_some_and(|first| first == "self") {
        names.remove(0);
    }
    (last, names)
}

fn receiver(before: &[String]) -> Receiver {
    let holds = |words: &[&str]| before.iter().any(|name| words.contains(&name.as_str()));
    if before.is_empty() {
        Receiver::Bare
    } else if holds(receiver::CONTEXT) {
        Receiver::Context
    } else if holds(receiver::PAYLOAD) {
        Receiver::Payload
    } else {
        Receiver::Other
    }
}

fn functions(part: &Part) -> Vec<Function> {
    let mut functions = Vec::new();
    let mut inner = part;
    while let PartKind::Call(function, argument) = &inner.kind {
        functions.push(*function);
        inner = argument;
    }
    functions
}

impl<'a> Subject<'a> {
    /// The parts whose name stands in `list`, with how sure that is, after the rule of the name.
    pub(super) fn parts_in(&self, list: List) -> Vec<(&NamedPart<'a>, Strength)> {
        let found = self.parts.iter().filter(|part| part.is_in(list));
        found.filter_map(|part| Some((part, self.strength(part)?))).collect()
    }

    fn strength(&self, part: &NamedPart<'_>) -> Option<Strength> {
        let (_, rule) = part.list?;
        match rule {
            Rule::Plain => Some(Strength::Error),
            Rule::Warned => Some(Strength::Warning),
            Rule::GoodFromPayload(beside) => {
                let beside = self.parts.iter().any(|other| beside.contains(&other.name.as_str()));
                (part.receiver != Receiver::Payload && !beside).then_some(Strength::Error)
            }
            Rule::GoodFor(words) => (!self.is_about(words, part)).then_some(Strength::Warning),
            Rule::WarnedAlone => {
                let alone = !self.parts.iter().any(|other| other.name != part.name && other.distinguishes());
                alone.then_some(Strength::Warning)
            }
        }
    }

    /// Whether the operation or the receiver of `part` is named after one of these words.
    fn is_about(&self, words: &[&str], part: &NamedPart<'_>) -> bool {
        let function = words::normal(&self.operation.function_name());
        let operation = words::normal(self.operation.name());
        let mut names = part.before.iter().chain([&function, &operation]);
        names.any(|name| words.iter().any(|word| name.contains(word)))
    }

    /// What to do about a part that names no request: leave it to the other parts, or name another.
    pub(super) fn instead_of(&self, part: &NamedPart<'_>) -> String {
        let sound = self.parts.iter().find(|other| {
            let fit = other.list.is_none_or(|(list, _)| list == List::Good);
            fit && other.path.to_string() != part.path.to_string()
        });
        match sound {
            Some(sound) => format!("remove it: `{}` names the request already", sound.path),
            None => {
                format!("use what names the request itself, for example `{}`", self.better_name())
            }
        }
    }

    /// What to use instead: an argument that nothing speaks against, or an example.
    pub(super) fn better_name(&self) -> String {
        let unused = self.operation.function.parameters.iter().find(|parameter| {
            let text = parameter.name.unraw().to_string();
            let known = words::find(&words::normal(&text), self.policy);
            let used = self.parts.iter().any(|part| part.path.root.text == text);
            let fit = known.is_none_or(|(list, _)| list == List::Good);
            fit && !used && parameter.whole && types::can_name_a_request(&parameter.ty)
        });
        unused.map_or_else(|| "order_no".to_owned(), |parameter| parameter.name.unraw().to_string())
    }
}

/// The level of a finding.
pub(super) fn level(diagnostic: &mut Diagnostic, strength: Strength) -> &mut Diagnostic {
    if strength == Strength::Warning { diagnostic.warning() } else { diagnostic }
}

/// Findings of a lint of the key are about the argument `key`.
pub(super) fn at_key(subject: &Subject<'_>, report: &mut Report) {
    report.return_to(subject.operation.positions.key);
}

/// Why a key that changes is bad.
pub(super) const RUNS_AGAIN: &str = "a retry would get another key and run the body a second time";
