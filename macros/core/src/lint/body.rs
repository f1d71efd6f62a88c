//! The body as syntax: parsed only if a lint's words stand in it, and skipped if it does not parse.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser as _};
use syn::{Block, Stmt};

use super::Subject;

/// The statements of the body, if one of `words` stands in it.
pub(super) fn statements(subject: &Subject<'_>, words: &[&str]) -> Option<Vec<Stmt>> {
    let body = subject.operation.function.body.stream();
    if !holds(body.clone(), words) {
        return None;
    }
    (|input: ParseStream<'_>| Block::parse_within(input)).parse2(body).ok()
}

fn holds(tokens: TokenStream, words: &[&str]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => words.iter().any(|word| ident == word),
        TokenTree::Group(group) => holds(group.stream(), words),
        _ => false,
    })
}
