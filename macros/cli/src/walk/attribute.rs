//! Attributes: ours, and those that hide or mark what they stand on.

use std::collections::HashSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token, UseTree};

use crate::shown::compact;

/// The names that the attribute goes by in one file.
#[derive(Clone, Debug)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// The attribute's own name, and what the imports of the file call it.
    pub(super) fn of(file: &syn::File) -> Self {
        let mut names = Self(HashSet::from([ATTRIBUTE.to_owned()]));
        for item in &file.items {
            if let syn::Item::Use(import) = item {
                names.add(&import.tree);
            }
        }
        names
    }

    fn add(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.add(&path.tree),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add(tree)),
            UseTree::Rename(rename) if rename.ident == ATTRIBUTE && rename.rename != "_" => {
                self.0.insert(rename.rename.unraw().to_string());
            }
            _ => {}
        }
    }

    fn name(&self, path: &syn::Path) -> bool {
        path.segments.last().is_some_and(|last| self.0.contains(&last.ident.unraw().to_string()))
    }

    /// The arguments of the attribute, if this is it, also under `cfg_attr`.
    pub(super) fn arguments(&self, attribute: &Attribute) -> Option<TokenStream> {
        let nested = conditional(attribute);
        std::iter::once(&attribute.meta).chain(&nested).find(|meta| self.name(meta.path())).map(|meta| {
            match meta {
                Meta::Path(_) => TokenStream::new(),
                Meta::List(list) => list.tokens.clone(),
                Meta::NameValue(pair) => {
                    let value = &pair.value;
                    quote!(= #value)
                }
            }
        })
    }

    /// Whether the attribute stands in these tokens: its name anywhere in `#[…]`.
    pub(super) fn occur_in(&self, tokens: TokenStream) -> bool {
        let mut after_hash = false;
        for token in tokens {
            match &token {
                TokenTree::Group(group) if self.occur_in(group.stream()) => return true,
                TokenTree::Group(group)
                    if after_hash
                        && group.delimiter() == Delimiter::Bracket
                        && self.are_named_in(group.stream()) =>
                {
                    return true;
                }
                _ => {}
            }
            after_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        }
        false
    }

    fn are_named_in(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => self.0.contains(&ident.unraw().to_string()),
            TokenTree::Group(group) => self.are_named_in(group.stream()),
            _ => false,
        })
    }
}

const ATTRIBUTE: &str = "idempotent";

/// The attributes inside `#[cfg_attr(condition, …)]`.
pub(super) fn conditional(attribute: &Attribute) -> Vec<Meta> {
    if !attribute.path().is_ident("cfg_attr") {
        return Vec::new();
    }
    let parsed = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    parsed.map(|metas| metas.into_iter().skip(1).collect()).unwrap_or_default()
}

/// The conditions of `#[cfg(…)]`.
pub(super) fn conditions(attributes: &[Attribute]) -> Vec<Meta> {
    let conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    conditions.filter_map(|attribute| attribute.parse_args::<Meta>().ok()).collect()
}

/// A condition as text, to be compared with others.
pub(super) fn condition_text(condition: &Meta) -> String {
    compact(&condition.to_token_stream().to_string())
}

/// Whether what is under this condition exists only in tests.
pub(super) fn is_for_tests(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => list
            .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .is_ok_and(|conditions| conditions.iter().any(is_for_tests)),
        _ => false,
    }
}

/// `#[test]`, `#[tokio::test]` and their like.
pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().segments.last().is_some_and(|last| last.ident == "test" || last.ident == "rstest")
    })
}
