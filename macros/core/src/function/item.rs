//! Items that cannot be protected: what is said about them.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::{GenericArgument, PathArguments, Safety, Signature, Type};

use crate::diagnostic::Place;
use crate::report::Report;

/// Reports an item whose head is no function's.
pub(super) fn report_unsupported(head: TokenStream, has_body: bool, report: &mut Report) {
    let tokens: Vec<TokenTree> = head.into_iter().collect();
    let keyword = tokens.iter().find_map(|token| match token {
        TokenTree::Ident(ident) => {
            let word = ident.to_string();
            KINDS.iter().find(|(keyword, ..)| *keyword == word).map(|kind| (ident.span(), kind))
        }
        _ => None,
    });
    let Some((span, (_, kind, help))) = keyword else {
        let place = tokens
            .first()
            .map_or_else(|| Place::at(proc_macro2::Span::call_site()), |token| Place::at(token.span()));
        report.error("unsupported-item", &place, "expected an async function").help(ON_FUNCTIONS);
        return;
    };
    let message = if *kind == FUNCTION {
        let missing = if has_body { "could not be read" } else { "has no body" };
        format!("the function {missing}")
    } else {
        format!("`#[idempotent]` is for async functions, not for {kind}")
    };
    report.error("unsupported-item", &Place::at(span), message).help(*help);
}

const FUNCTION: &str = "a function";
const ON_FUNCTIONS: &str = "put it on an `async fn`";
const ON_METHODS: &str = "put it on each `async fn` inside";

/// The keyword of every kind of item, what to call it, and what to do.
const KINDS: [(&str, &str, &str); 12] = [
    ("fn", FUNCTION, ON_FUNCTIONS),
    ("struct", "a struct", ON_FUNCTIONS),
    ("enum", "an enum", ON_FUNCTIONS),
    ("union", "a union", ON_FUNCTIONS),
    ("impl", "an `impl` block", ON_METHODS),
    ("trait", "a trait", ON_METHODS),
    ("mod", "a module", ON_METHODS),
    ("const", "a constant", ON_FUNCTIONS),
    ("static", "a static", ON_FUNCTIONS),
    ("type", "a type alias", ON_FUNCTIONS),
    ("use", "an import", ON_FUNCTIONS),
    ("extern", "an `extern` block", ON_FUNCTIONS),
];

/// Reports what a function must not be; `None` if it is.
pub(super) fn check_signature(signature: &Signature, report: &mut Report) -> Option<()> {
    let before = report.len();
    if let Some(token) = &signature.constness {
        report
            .error("unsupported-function", &Place::of(token), "a `const fn` cannot be idempotent")
            .help("remove `const` and write `async fn`")
            .note("it has no effects to repeat, and cannot wait for a store");
    }
    if let Some(abi) = &signature.abi {
        report
            .error("unsupported-function", &Place::of(abi), "an `extern` function cannot be idempotent")
            .help("annotate an `async fn` and call it from here");
    }
    if let Safety::Unsafe(token) = &signature.safety {
        report
            .error("unsupported-function", &Place::of(token), "an `unsafe fn` cannot be idempotent")
            .help("annotate a safe `async fn` that contains the `unsafe` block");
    }
    if let Some(variadic) = &signature.variadic {
        report.error("unsupported-function", &Place::of(variadic), "variadic arguments are not supported");
    }
    (report.len() == before).then_some(())
}

/// Reports a function that is not async in any known way.
pub(super) fn report_not_async(signature: &Signature, report: &mut Report) {
    let name = &signature.ident;
    report
        .error("unsupported-function", &Place::of(&signature.fn_token), format!("`{name}` is not async"))
        .help(format!("`async fn {name}`"))
        .note("claiming the key and recording the outcome wait for the store");
}

/// Reports a boxed future in which the body cannot be told from what is around it.
pub(super) fn report_boxed(signature: &Signature, report: &mut Report) {
    let name = &signature.ident;
    let message = format!("`{name}` returns a boxed future that is not as `#[async_trait]` writes it");
    report.error("unsupported-function", &Place::of(&signature.fn_token), message).help(format!(
        "`async fn {name}`; under `#[async_trait]`, put `#[idempotent]` above other attributes"
    ));
}

/// Reports a function without a return type.
pub(super) fn report_no_result(name: &Ident, report: &mut Report) {
    report
        .error("not-a-result", &Place::of(name), format!("`{name}` returns no `Result`"))
        .help("`-> Result<(), YourError>`, where `YourError: From<idempotency::Error>`")
        .note("the call itself can fail: in progress, mismatch, store not reachable");
}

/// Reports a recorded value that borrows, which the bounds would say in words about lifetimes.
pub(super) fn check_output(output: &Type, report: &mut Report) {
    let Type::Path(path) = output else { return };
    let Some(result) = path.path.segments.last().filter(|last| last.ident == "Result") else { return };
    let PathArguments::AngleBracketed(arguments) = &result.arguments else { return };
    let Some(GenericArgument::Type(value)) = arguments.args.first() else { return };
    if let Some(reference) = reference(value) {
        report
            .error("borrowed-result", &Place::of(reference), "a recorded result cannot borrow")
            .help("return an owned type, for example `String` instead of `&str`")
            .note("a duplicate gets the value from the store, where nothing is left to borrow from");
    }
}

/// The first reference that a value of this type holds.
fn reference(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(_) => Some(ty),
        Type::Paren(inner) => reference(&inner.elem),
        Type::Group(inner) => reference(&inner.elem),
        Type::Array(array) => reference(&array.elem),
        Type::Slice(slice) => reference(&slice.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(reference),
        Type::Path(path) => {
            let last = path.path.segments.last().filter(|last| last.ident != "PhantomData")?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(inner) => reference(inner),
                _ => None,
            })
        }
        _ => None,
    }
}
