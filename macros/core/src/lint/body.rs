//! The body as syntax: parsed only if a lint's words stand in it, and skipped if it does not parse.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser as _};
use syn::{Block, Stmt};

use super::Subject;

/// The statements of the body, if a word that is a sign of something stands in it.
pub(super) fn statements(subject: &Subject<'_>, is_sign: impl Fn(&str) -> bool) -> Option<Vec<Stmt>> {
    let body = subject.operation.function.body.stream();
    if !holds(body.clone(), &is_sign) {
        return None;
    }
    (|input: ParseStream<'_>| Block::parse_within(input)).parse2(body).ok()
}

fn holds(tokens: TokenStream, is_sign: &impl Fn(&str) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is_sign(&ident.to_string()),
        TokenTree::Group(group) => holds(group.stream(), is_sign),
        _ => false,
    })
}
