//! What an operation is, in words: for tables, lock files, and comparisons across functions.

use quote::ToTokens as _;
use syn::ext::IdentExt as _;

use super::{Operation, Validate};
use crate::args::{Allow, Duration};
use crate::diagnostic::Place;
use crate::key::Path;
use crate::lint::windows;

/// A part of a key.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartInfo {
    /// The part as it was written: `hash(order.email)`.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// The parameter it begins at; none for a text and for `self`.
    pub parameter: Option<String>,
    /// Whether it is the parameter itself, and not a field of it.
    pub whole: bool,
}

/// How late a duplicate can come.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Window {
    /// The sum, in milliseconds.
    pub milliseconds: u64,
    /// How it adds up: `sqs retention 14d + sqs dlq 14d = 28d`.
    pub text: String,
}

impl Operation {
    /// The name under which outcomes are stored.
    pub fn name(&self) -> &str {
        &self.name.text
    }

    /// Where that name stands: in `op = "…"`, or at the function.
    pub fn name_place(&self) -> Place {
        Place::at(self.name.span)
    }

    /// Whether every name in the attribute is known, so that the key is as it will be stored.
    pub fn is_complete(&self) -> bool {
        self.complete && self.ttl.is_some()
    }

    /// The name of the function.
    pub fn function_name(&self) -> String {
        self.function.signature.ident.unraw().to_string()
    }

    /// The parameters by name, in order, without `self`; a pattern gives the names it binds.
    pub fn parameter_names(&self) -> Vec<String> {
        self.function.bindings.iter().map(|name| name.unraw().to_string()).collect()
    }

    /// The parameters of the signature by position, without `self`: the name, or none for a pattern.
    pub fn positional_parameters(&self) -> Vec<Option<String>> {
        let typed = self.function.signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(parameter) => Some(&*parameter.pat),
            syn::FnArg::Receiver(_) => None,
        });
        typed
            .map(|pattern| match pattern {
                syn::Pat::Ident(name) => Some(name.ident.unraw().to_string()),
                _ => None,
            })
            .collect()
    }

    /// Whether the function has a receiver.
    pub fn has_receiver(&self) -> bool {
        self.function.receiver.is_some()
    }

    /// The parts of the key, without `op`.
    pub fn key_parts(&self) -> Vec<PartInfo> {
        let info = |part: &super::KeyPart| {
            let path = part.part.path();
            PartInfo {
                text: part.part.to_string(),
                place: part.part.place.clone(),
                parameter: path.map(|path| path.root.text.clone()).filter(|root| root != "self"),
                whole: path.is_some_and(Path::is_whole),
            }
        };
        self.key.iter().map(info).collect()
    }

    /// The parts of the key joined by `+`, without `op`: what must not change while records live.
    pub fn key_shape(&self) -> String {
        let parts: Vec<String> = self.key.iter().map(|part| part.part.to_string()).collect();
        parts.join(" + ")
    }

    /// What is compared: `body - body.sent_at`, or `none`.
    pub fn fingerprint(&self) -> String {
        match &self.validate {
            Validate::Missing | Validate::Nothing => "none".to_owned(),
            Validate::Selected(selections) => {
                let selected = selections.iter().map(|selection| selection.path.to_string());
                let selected = selected.collect::<Vec<_>>().join(" + ");
                let excluded = selections.iter().flat_map(|selection| &selection.excluded);
                let terms = [selected].into_iter().chain(excluded.map(ToString::to_string));
                terms.collect::<Vec<_>>().join(" - ")
            }
        }
    }

    /// The TTL in milliseconds, if it is written as a text or comes from the policy.
    pub fn ttl_milliseconds(&self) -> Option<u64> {
        milliseconds(self.ttl.as_ref())
    }

    /// The TTL as it is shown: `7d`, or the expression.
    pub fn ttl_text(&self) -> Option<String> {
        self.ttl.as_ref().map(shown)
    }

    /// The lease in milliseconds, if it is written as a text or follows from `source`.
    pub fn lease_milliseconds(&self) -> Option<u64> {
        milliseconds(self.lease.as_ref())
    }

    /// The lease as it is shown; none is the default of the runtime.
    pub fn lease_text(&self) -> Option<String> {
        self.lease.as_ref().map(shown)
    }

    /// How late a duplicate can come, by `source`.
    pub fn window(&self) -> Option<Window> {
        let sum = windows::sum(self.sources.as_ref()?)?;
        Some(Window { milliseconds: sum.milliseconds(), text: sum.shown() })
    }

    /// The declared return type, as the compiler prints tokens.
    pub fn result_type(&self) -> String {
        self.output().to_token_stream().to_string()
    }

    /// The lints it silences.
    pub fn allows(&self) -> &[Allow] {
        &self.allows
    }
}

pub(crate) fn milliseconds(duration: Option<&Duration>) -> Option<u64> {
    match duration? {
        Duration::Milliseconds { value, .. } => Some(*value),
        Duration::Expression(_) => None,
    }
}

fn shown(duration: &Duration) -> String {
    match duration {
        Duration::Milliseconds { value, .. } => crate::ttl::short(*value),
        Duration::Expression(expression) => expression.to_token_stream().to_string(),
    }
}
