//! The attribute and the derives of the `idempotency` crate, which re-exports and documents them.

use proc_macro::TokenStream;

/// Makes an async function safe to retry.
#[proc_macro_attribute]
pub fn idempotent(args: TokenStream, item: TokenStream) -> TokenStream {
    idempotency_macros_core::expand(args.into(), item.into()).into()
}

/// Makes a newtype or a fieldless enum usable in a key.
#[proc_macro_derive(KeyPart, attributes(key_part))]
pub fn derive_key_part(input: TokenStream) -> TokenStream {
    idempotency_macros_core::derive_key_part(input.into()).into()
}

/// Says what each variant of an error type means for a retry.
#[proc_macro_derive(Classify, attributes(classify, retryable, terminal, unknown, inner))]
pub fn derive_classify(input: TokenStream) -> TokenStream {
    idempotency_macros_core::derive_classify(input.into()).into()
}
