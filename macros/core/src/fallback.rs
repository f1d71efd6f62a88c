//! What is emitted when something is wrong.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use crate::diagnostic::Diagnostic;
use crate::function;

/// The user's item as it was written, then the errors.
///
/// The item stays, or every use of it would be a second error; it comes first, so that tools find it. Nothing
/// runs unprotected by this: the build has failed. An argument that only the attribute uses is unused without it,
/// which nobody wants to hear now.
pub(crate) fn item_with_errors(item: TokenStream, diagnostics: &[Diagnostic]) -> TokenStream {
    let errors = diagnostics.iter().map(Diagnostic::to_compile_error);
    let quiet = (!diagnostics.is_empty() && function::is_function(item.clone()))
        .then(|| quote_spanned!(Span::mixed_site()=> #[allow(unused_variables)]));
    quiet.into_iter().flatten().chain(item).chain(errors.flatten()).collect()
}
