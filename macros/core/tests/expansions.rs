//! What the attribute makes of a function: `tests/expand/*.rs` against `*.expected.rs`.
//!
//! `BLESS=1 cargo test -p idempotency-macros-core --test expansions` writes the expected files anew.

use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, ImplItem, Item, Meta};

#[test]
fn expansions_are_as_expected() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in inputs() {
        count += 1;
        let expanded = expand_file(&fs::read_to_string(&path).unwrap());
        let expected = path.with_extension("expected.rs");
        if env::var_os("BLESS").is_some() {
            fs::write(&expected, &expanded).unwrap();
        } else if fs::read_to_string(&expected).ok().as_deref() != Some(expanded.as_str()) {
            wrong.push(format!("{} differs; now it is\n{expanded}", expected.display()));
        }
    }
    assert!(count > 0, "no inputs found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_expected_file_is_orphaned() {
    for entry in fs::read_dir(directory()).unwrap() {
        let path = entry.unwrap().path();
        if let Some(stem) = path.file_name().unwrap().to_str().unwrap().strip_suffix(".expected.rs") {
            assert!(path.with_file_name(format!("{stem}.rs")).exists(), "{} has no input", path.display());
        }
    }
}

fn directory() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/expand"))
}

fn inputs() -> Vec<PathBuf> {
    let mut inputs: Vec<PathBuf> = fs::read_dir(directory())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.to_str().unwrap().ends_with(".expected.rs"))
        .collect();
    inputs.sort();
    inputs
}

/// The file with every annotated function and derive expanded, as the compiler would.
fn expand_file(source: &str) -> String {
    let file = syn::parse_file(source).unwrap();
    let tokens: TokenStream = file.items.into_iter().map(expand_item).collect();
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

fn expand_item(item: Item) -> TokenStream {
    match item {
        Item::Fn(mut function) => match take_attribute(&mut function.attrs) {
            Some(args) => idempotency_macros_core::expand(args, function.into_token_stream()),
            None => function.into_token_stream(),
        },
        Item::Impl(mut block) => {
            let items: TokenStream = block
                .items
                .drain(..)
                .map(|item| match item {
                    ImplItem::Fn(mut method) => match take_attribute(&mut method.attrs) {
                        Some(args) => idempotency_macros_core::expand(args, method.into_token_stream()),
                        None => method.into_token_stream(),
                    },
                    other => other.into_token_stream(),
                })
                .collect();
            with_last_group(block.into_token_stream(), &items)
        }
        Item::Struct(_) | Item::Enum(_) => {
            let tokens = item.into_token_stream();
            if tokens.to_string().contains("Classify") {
                idempotency_macros_core::derive_classify(tokens)
            } else {
                idempotency_macros_core::derive_key_part(tokens)
            }
        }
        other => other.into_token_stream(),
    }
}

fn take_attribute(attributes: &mut Vec<Attribute>) -> Option<TokenStream> {
    let index = attributes.iter().position(|attribute| attribute.path().is_ident("idempotent"))?;
    match attributes.remove(index).meta {
        Meta::List(list) => Some(list.tokens),
        _ => Some(TokenStream::new()),
    }
}

fn with_last_group(tokens: TokenStream, content: &TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let Some(TokenTree::Group(group)) = tokens.pop() else { panic!("no block") };
    tokens.push(Group::new(group.delimiter(), content.clone()).into());
    tokens.into_iter().collect()
}
