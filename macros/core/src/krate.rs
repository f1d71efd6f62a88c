//! What an expansion knows of crates: where the facade is, and the manifest of the user's.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::Path;

/// `crate = path`, or `::idempotency`; located at `span`, so that no error of a helper points elsewhere.
pub(crate) fn path(explicit: Option<&Path>, span: Span) -> TokenStream {
    explicit
        .map_or_else(|| quote_spanned!(span=> ::idempotency), |path| relocate(path.to_token_stream(), span))
}

/// The same tokens, resolved as the user wrote them and shown at `span`.
fn relocate(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                token = Group::new(group.delimiter(), relocate(group.stream(), span)).into();
            }
            token.set_span(token.span().located_at(span));
            token
        })
        .collect()
}

/// The lints depend on the manifest, which cargo does not know otherwise.
pub(crate) fn manifest(span: Span) -> TokenStream {
    quote_spanned! {span=>
        const _: &[::core::primitive::u8] = ::core::include_bytes!(
            ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")
        );
    }
}
