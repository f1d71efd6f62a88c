//! What decides how a key is stored and what is compared, without the names of parameters: those are in neither.

use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::{GenericArgument, PathArguments, Type};

use super::{Operation, Validate};
use crate::key::{Part, PartKind, Path, StepKind};

impl Operation {
    /// The parts of the key with `#1` for the first parameter, and the type of a parameter that is a part as a whole:
    /// `#1: plain`, `hash(#2.email)`, `'eu'`. Texts, integers, `char` and `bool` are stored alike, and are all `plain`.
    pub fn stored_key(&self) -> Vec<String> {
        self.key.iter().map(|part| self.stored_part(&part.part)).collect()
    }

    /// What is compared, with `#1` for the first parameter: `#2 - #2.sent_at`, or `none`.
    pub fn stored_fingerprint(&self) -> String {
        let Validate::Selected(selections) = &self.validate else { return self.fingerprint() };
        let path = |path: &Path| self.root(path) + &steps(path);
        let selected = selections.iter().map(|selection| path(&selection.path));
        let selected = selected.collect::<Vec<_>>().join(" + ");
        let excluded = selections.iter().flat_map(|selection| &selection.excluded).map(path);
        [selected].into_iter().chain(excluded).collect::<Vec<_>>().join(" - ")
    }

    fn stored_part(&self, part: &Part) -> String {
        match &part.kind {
            PartKind::Call(function, inner) => format!("{}({})", function.name(), self.stored_part(inner)),
            PartKind::Path(path) => {
                let text = self.root(path) + &steps(path);
                match self.function.parameter(&path.root.text) {
                    Some(parameter) if parameter.whole && path.is_whole() => {
                        format!("{text}: {}", stored_type(&parameter.ty))
                    }
                    _ => text,
                }
            }
            PartKind::Operation | PartKind::Literal(_) => part.to_string(),
        }
    }

    /// `#1`; `#1{order_no}` for what a pattern binds, because that name may be the one of a field; `self`.
    fn root(&self, path: &Path) -> String {
        let parameters = &self.function.parameters;
        let found = parameters.iter().rposition(|parameter| parameter.name.unraw() == path.root.text);
        match found.and_then(|index| Some((index, parameters.get(index)?))) {
            Some((index, parameter)) if parameter.whole => format!("#{}", index + 1),
            Some((index, _)) => format!("#{}{{{}}}", index + 1, path.root.text),
            None => path.root.text.clone(),
        }
    }
}

/// What follows the root; a part that must be present is stored like one that always is.
fn steps(path: &Path) -> String {
    let steps = path.steps.iter().filter(|step| step.kind != StepKind::Present);
    steps.map(|step| step.kind.to_string()).collect()
}

fn stored_type(ty: &Type) -> String {
    match ty {
        Type::Reference(inner) => stored_type(&inner.elem),
        Type::Paren(inner) => stored_type(&inner.elem),
        Type::Group(inner) => stored_type(&inner.elem),
        Type::Path(path) => match path.path.segments.last() {
            Some(last) => segment(last),
            None => String::new(),
        },
        other => other.to_token_stream().to_string(),
    }
}

/// The path before the name depends on imports.
fn segment(last: &syn::PathSegment) -> String {
    let name = last.ident.unraw().to_string();
    let inner = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
        }
        _ => None,
    };
    match inner {
        Some(inner) if TRANSPARENT.contains(&name.as_str()) => stored_type(inner),
        _ if PLAIN.contains(&name.as_str()) => "plain".to_owned(),
        _ => last.to_token_stream().to_string().replace(' ', ""),
    }
}

const TRANSPARENT: [&str; 5] = ["Box", "Rc", "Arc", "Cow", "Option"];

const PLAIN: [&str; 16] = [
    "String", "str", "char", "bool", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64",
    "i128", "isize",
];

#[cfg(test)]
mod tests {
    use crate::policy::Policy;
    use crate::report::Report;

    fn stored(args: &str, parameters: &str) -> (Vec<String>, String) {
        let item = format!("async fn f({parameters}) -> Result<(), Error> {{ Ok(()) }}");
        let mut report = Report::new();
        let args = format!("ttl = \"7d\", {args}");
        let operation =
            crate::resolve(args.parse().unwrap(), item.parse().unwrap(), &Policy::default(), &mut report)
                .unwrap();
        assert!(report.into_diagnostics().is_empty(), "{args}");
        (operation.stored_key(), operation.stored_fingerprint())
    }

    #[test]
    fn what_is_stored_does_not_hold_the_names_of_parameters() {
        let (key, fingerprint) = stored(
            "key = \"tenant + op + 'eu#1' + lower(code) + hash(body.email) + date(day) + self.region\", \
             validate = \"body - body.sent_at\"",
            "&self, tenant: &TenantId, code: String, day: time::Date, body: Body",
        );
        let expected =
            ["#1: TenantId", "'eu#1'", "lower(#2: plain)", "hash(#4.email)", "date(#3: Date)", "self.region"];
        assert_eq!(key, expected);
        assert_eq!(fingerprint, "#4 - #4.sent_at");
    }

    #[test]
    fn types_that_are_stored_alike_are_written_alike() {
        let (key, fingerprint) =
            stored("key = \"r#type + b? + c\"", "r#type: u64, b: Option<String>, c: Cow<'_, str>");
        assert_eq!(key, ["#1: plain", "#2: plain", "#3: plain"]);
        assert_eq!(fingerprint, "none");
        assert_eq!(stored("key = a", "a: Arc<Id<u8, 3>>").0, ["#1: Id<u8,3>"]);
    }

    #[test]
    fn a_name_that_a_pattern_binds_is_kept() {
        let key = stored("key = order_no", "db: Db, Order { order_no, .. }: Order").0;
        assert_eq!(key, ["#2{order_no}"]);
    }
}
