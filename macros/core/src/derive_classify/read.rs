//! The helper attributes: `#[retryable]`, `#[terminal]`, `#[unknown]`, `#[inner]` and `#[classify(..)]`.

use proc_macro2::{Ident, Span};
use syn::{Attribute, Fields, Meta};

use crate::diagnostic::Place;
use crate::report::Report;

/// What an attribute says of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Retryable,
    Terminal,
    Unknown,
    /// That of the only field.
    Inner,
}

impl Class {
    fn named(name: &Ident) -> Option<Self> {
        Some(match name.to_string().as_str() {
            "retryable" => Self::Retryable,
            "terminal" => Self::Terminal,
            "unknown" => Self::Unknown,
            "inner" => Self::Inner,
            _ => return None,
        })
    }

    /// The variant of `ErrorClass`; none if it is that of the field.
    pub(super) fn variant(self, span: Span) -> Option<Ident> {
        let name = match self {
            Self::Retryable => "Retryable",
            Self::Terminal => "Terminal",
            Self::Unknown => "Unknown",
            Self::Inner => return None,
        };
        Some(Ident::new(name, span))
    }
}

/// A class and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) class: Class,
    pub(super) span: Span,
}

/// The classes among these attributes, with their names.
fn classes(attributes: &[Attribute]) -> impl Iterator<Item = (Class, &Ident, &Attribute)> {
    attributes.iter().filter_map(|attribute| {
        let name = attribute.path().get_ident()?;
        Some((Class::named(name)?, name, attribute))
    })
}

/// The one class of `what`; reports a second one, and arguments.
pub(super) fn class(attributes: &[Attribute], what: &str, report: &mut Report) -> Option<Given> {
    let mut first: Option<(Class, &Ident)> = None;
    for (class, name, attribute) in classes(attributes) {
        if !matches!(attribute.meta, Meta::Path(_)) {
            report
                .error("bad-class", &Place::of(&attribute.meta), format!("`{name}` takes no arguments"))
                .help(format!("`#[{name}]`"));
            continue;
        }
        let Some((_, other)) = first else {
            first = Some((class, name));
            continue;
        };
        let message = if other == name {
            format!("`{name}` is given twice")
        } else {
            format!("a {what} has one class, and this one is `{other}` already")
        };
        report.error("bad-class", &Place::at(name.span()), message).help("remove one of them");
    }
    first.map(|(class, name)| Given { class, span: name.span() })
}

/// Reports classes on fields.
pub(super) fn refuse_on_fields(fields: &Fields, report: &mut Report) {
    for (_, name, _) in fields.iter().flat_map(|field| classes(&field.attrs)) {
        report
            .error("bad-class", &Place::at(name.span()), format!("`{name}` stands on a field"))
            .help(format!("write `#[{name}]` above the variant, or above the type"));
    }
}

/// `#[classify(crate = path)]`
pub(super) fn crate_path(attributes: &[Attribute], report: &mut Report) -> Option<syn::Path> {
    let mut path = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("classify")) {
        let read = attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error("unknown option; here it is `crate`"));
            }
            path = Some(meta.value()?.call(syn::Path::parse_mod_style)?);
            Ok(())
        });
        if let Err(error) = read {
            report
                .error("malformed-argument", &Place::at(error.span()), error.to_string())
                .help("`#[classify(crate = my::idempotency)]`");
        }
    }
    path
}
