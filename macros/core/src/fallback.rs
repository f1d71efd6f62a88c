//! What is emitted when something is wrong.

use proc_macro2::TokenStream;

use crate::diagnostic::Diagnostic;

/// The user's item as it was written, then the errors.
///
/// The item stays, or every use of it would be a second error; it comes first, so that tools find it. Nothing
/// runs unprotected by this: the build has failed.
pub(crate) fn item_with_errors(item: TokenStream, diagnostics: &[Diagnostic]) -> TokenStream {
    let errors = diagnostics.iter().map(Diagnostic::to_compile_error);
    item.into_iter().chain(errors.flatten()).collect()
}
