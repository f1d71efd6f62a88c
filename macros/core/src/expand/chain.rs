//! Paths of the key language as Rust expressions.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::{call, helper, located, text};
use crate::key::{self, Function, PartKind, Path, Step, StepKind};
use crate::operation::{KeyPart, Selection};

// Input → Output:
//     tenant_id          → .part("tenant_id", &tenant_id)
//     'eu'               → .part("'eu'", "eu")
//     hash(email)        → .part("hash(email)", &hash(&email))
//     order.customer?    → .optional_part("order.customer?", present(&order.customer))
//     lower(headers['x'] → .optional_part("lower(headers['x'])", lookup(&headers, "x").map(|__value| lower(__value)))
pub(super) fn part(part: &KeyPart) -> TokenStream {
    let span = helper(part.part.place.span());
    let name = text(&part.part.to_string(), span);
    let (functions, inner) = functions(&part.part);
    let value = match (&inner.kind, &part.root) {
        (PartKind::Path(path), Some(root)) => value(path, &path.steps, root),
        (PartKind::Literal(literal), _) => {
            let literal = text(literal, span);
            let called = apply(&functions, literal.clone(), span);
            let value = if functions.is_empty() { literal } else { quote_spanned!(span=> &#called) };
            return call("part", &quote_spanned!(span=> #name, #value), span);
        }
        _ => return TokenStream::new(),
    };
    match value {
        Value::Place(place) => {
            let place = fitted(&functions, quote_spanned!(span=> &#place), "fit", span);
            let applied = apply(&functions, place, span);
            call("part", &quote_spanned!(span=> #name, &#applied), span)
        }
        Value::Optional(optional) => {
            let fit = match last_step(inner) {
                Some(StepKind::Lookup(_)) => "fit_value",
                Some(StepKind::Present) => "fit_behind",
                _ => "fit",
            };
            let argument = fitted(&functions, quote_spanned!(span=> __value), fit, span);
            let applied = apply(&functions, argument, span);
            let value = quote_spanned!(span=> #optional.map(|__value| #applied));
            call("optional_part", &quote_spanned!(span=> #name, #value), span)
        }
    }
}

/// A part whose type is checked, with a message of its own for every kind of unfit type. `date(..)` checks by itself.
fn fitted(functions: &[Function], argument: TokenStream, helper: &str, span: Span) -> TokenStream {
    if matches!(functions.last(), Some(Function::Date)) {
        return argument;
    }
    let helper = Ident::new(helper, span);
    quote_spanned!(span=> __idempotency::__private::#helper(#argument))
}

/// What a path ends with: a lookup gives a value, other optional parts are references; and behind `?` the message
/// for one that is still optional is another.
fn last_step(part: &key::Part) -> Option<&StepKind> {
    let PartKind::Path(path) = &part.kind else { return None };
    path.steps.last().map(|step| &step.kind)
}

/// The functions around a part, outermost first, and what they are applied to.
fn functions(part: &key::Part) -> (Vec<Function>, &key::Part) {
    let mut functions = Vec::new();
    let mut inner = part;
    while let PartKind::Call(function, argument) = &inner.kind {
        functions.push(*function);
        inner = argument;
    }
    (functions, inner)
}

fn apply(functions: &[Function], argument: TokenStream, span: Span) -> TokenStream {
    functions.iter().rev().fold(argument, |argument, function| {
        let function = Ident::new(function.name(), span);
        quote_spanned!(span=> __idempotency::__private::#function(#argument))
    })
}

// Input → Output:
//     body                → .validate(&body)
//     body - body.sent_at → .validate_except(&body, &[Exclusion::new(&body.sent_at, &["sent_at"])])
pub(super) fn selection(selection: &Selection) -> TokenStream {
    let Selection { path, root, excluded } = selection;
    let span = helper(path.place.span());
    let selected = match value(path, &path.steps, root) {
        Value::Place(place) => quote_spanned!(span=> &#place),
        Value::Optional(optional) => quote_spanned!(span=> &#optional),
    };
    if excluded.is_empty() {
        return call("validate", &selected, span);
    }
    let exclusions = excluded.iter().map(|exclusion| {
        let span = helper(exclusion.place.span());
        let names = exclusion.steps.iter().skip(path.steps.len()).filter_map(|step| name(step, span));
        let names = quote_spanned!(span=> &[#(#names),*]);
        match value(exclusion, &exclusion.steps, root) {
            Value::Place(place) => quote_spanned!(span=> __idempotency::Exclusion::new(&#place, #names)),
            Value::Optional(optional) => {
                quote_spanned!(span=> __idempotency::Exclusion::optional(#optional, #names))
            }
        }
    });
    call("validate_except", &quote_spanned!(span=> #selected, &[#(#exclusions),*]), span)
}

/// The name of a step in the serialized form.
fn name(step: &Step, span: Span) -> Option<TokenStream> {
    match &step.kind {
        StepKind::Field(name) | StepKind::Lookup(name) => Some(text(name, span)),
        StepKind::Index(index) => Some(text(&index.to_string(), span)),
        StepKind::Present => None,
    }
}

/// What a path stands for.
enum Value {
    /// A place expression: `order.customer`.
    Place(TokenStream),
    /// An expression of type `Option<&T>`.
    Optional(TokenStream),
}

fn value(path: &Path, steps: &[Step], root: &Ident) -> Value {
    let root = located(root, path.root.place.span());
    let mut value = Value::Place(quote!(#root));
    for step in steps {
        value = self::step(value, step);
    }
    value
}

fn step(value: Value, step: &Step) -> Value {
    let span = helper(step.place.span());
    match (value, &step.kind) {
        (Value::Place(place), StepKind::Field(name)) => {
            let field = field(name, step.name_span());
            Value::Place(quote_spanned!(span=> #place.#field))
        }
        (Value::Place(place), StepKind::Index(index)) => {
            let index = number(*index, step.name_span());
            Value::Place(quote_spanned!(span=> #place.#index))
        }
        (Value::Place(place), StepKind::Present) => {
            Value::Optional(quote_spanned!(span=> __idempotency::__private::present(&#place)))
        }
        (Value::Place(place), StepKind::Lookup(name)) => {
            let name = text(name, span);
            Value::Optional(quote_spanned!(span=> __idempotency::__private::lookup(&#place, #name)))
        }
        (Value::Optional(optional), StepKind::Field(name)) => {
            let field = field(name, step.name_span());
            Value::Optional(quote_spanned!(span=> #optional.map(|__value| &__value.#field)))
        }
        (Value::Optional(optional), StepKind::Index(index)) => {
            let index = number(*index, step.name_span());
            Value::Optional(quote_spanned!(span=> #optional.map(|__value| &__value.#index)))
        }
        (Value::Optional(optional), StepKind::Present) => Value::Optional(
            quote_spanned!(span=> #optional.and_then(|__value| __idempotency::__private::present(__value))),
        ),
        (Value::Optional(optional), StepKind::Lookup(name)) => {
            let name = text(name, span);
            Value::Optional(
                quote_spanned!(span=> #optional.and_then(|__value| __idempotency::__private::lookup(__value, #name))),
            )
        }
    }
}

/// The field's own token. Fields named inside a string get the literal as their place and no span of the user's:
/// with that, rustc would offer to replace the whole string.
fn field(name: &str, span: Span) -> Ident {
    let span = helper(span);
    // Any keyword can be a field as a raw identifier; the few that cannot are refused by the parser.
    if syn::parse_str::<Ident>(name).is_ok() { Ident::new(name, span) } else { Ident::new_raw(name, span) }
}

fn number(index: u32, span: Span) -> Literal {
    let mut literal = Literal::u32_unsuffixed(index);
    literal.set_span(helper(span));
    literal
}
