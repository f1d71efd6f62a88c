//! How the result is recorded and replayed, what its errors mean, and how an unknown outcome is found out.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, GenericArgument, PathArguments, Type};

use super::{expression, helper, with_receiver};
use crate::diagnostic::Level;
use crate::lint::unreconciled;
use crate::operation::Operation;
use crate::policy::Policy;

// Output:
//     let (__outcome, __declared) = __idempotency::__private::outcome::<RET, _, _>();
//     let __outcome = __outcome.with_classes({
//         use __idempotency::__private::{WantsClasses as _, WithClasses as _, WithoutClasses as _};
//         (&&__declared.error_type()).error_classes()
//     });
//     let () = {
//         use __idempotency::__private::{WithUnknown as _, WithoutUnknown as _};
//         (&&__declared.error_type()).unknown_without_reconcile()
//     };
//     let __outcome = __outcome.version(2);
//     let __outcome = __outcome.migrate(from_version_1);
//     let __outcome = __outcome.replayed(as_duplicate);
//     let __probe = __idempotency::__private::probe(&__outcome, PROBE);
//
// Spanned at the return type, which is what it may find fault with, and the others at their values.
pub(super) fn statements(operation: &Operation, policy: &Policy) -> TokenStream {
    let mut statements = declared(operation);
    statements.extend(unknown(operation, policy));
    if let Some(version) = operation.version {
        let span = helper(version.span);
        let mut number = Literal::u32_unsuffixed(version.number);
        number.set_span(span);
        statements.extend(quote_spanned!(span=> let __outcome = __outcome.version(#number);));
    }
    if let Some(migrate) = &operation.migrate {
        let span = helper(migrate.span());
        let migrate = with_receiver(migrate.to_token_stream(), operation);
        statements.extend(quote_spanned!(span=> let __outcome = __outcome.migrate(#migrate);));
    }
    if let Some(replayed) = &operation.replayed {
        let span = helper(replayed.span());
        let replayed = with_receiver(replayed.to_token_stream(), operation);
        statements.extend(quote_spanned!(span=> let __outcome = __outcome.replayed(#replayed);));
    }
    statements.extend(operation.probe().map(|reconcile| probe(reconcile, operation)));
    statements
}

fn declared(operation: &Operation) -> TokenStream {
    let output = operation.output();
    let span = helper(output.span());
    let outcome = match &operation.codec {
        None => quote_spanned!(span=> __idempotency::__private::outcome::<#output, _, _>()),
        Some(codec) => {
            quote_spanned!(span=> __idempotency::__private::outcome_with::<#codec, #output, _, _>())
        }
    };
    quote_spanned! {span=>
        let (__outcome, __declared) = #outcome;
        let __outcome = __outcome.with_classes({
            use __idempotency::__private::{WantsClasses as _, WithClasses as _, WithoutClasses as _};
            (&&__declared.error_type()).error_classes()
        });
    }
}

/// A warning if an error of the type can leave the outcome unknown, and nothing finds out: the method that it calls is
/// deprecated where that is so.
fn unknown(operation: &Operation, policy: &Policy) -> Option<TokenStream> {
    let level = unreconciled::level(operation, policy)?;
    let error = error_type(operation.output());
    let span = helper(error.span());
    let deny = (level == Level::Error).then(|| quote_spanned!(span=> #[deny(deprecated)]));
    Some(quote_spanned! {span=>
        #deny
        let () = {
            use __idempotency::__private::{WithUnknown as _, WithoutUnknown as _};
            (&&__declared.error_type()).unknown_without_reconcile()
        };
    })
}

/// `E` of `Result<T, E>`, as far as it is written.
fn error_type(output: &Type) -> &Type {
    let Type::Path(path) = output else { return output };
    let Some(last) = path.path.segments.last() else { return output };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return output };
    match (arguments.args.len(), arguments.args.last()) {
        (2, Some(GenericArgument::Type(error))) => error,
        _ => output,
    }
}

// Input → Output:
//     find_charge          → probe(&__outcome, find_charge)
//     self.find_charge     → probe(&__outcome, |__unknown| self.find_charge(__unknown))
//     |unknown| async { }  → probe_closure(&__outcome, |unknown| async { })
//
// A field is a method: what a field holds is called as `(self.find)(unknown)` in a closure.
fn probe(reconcile: &Expr, operation: &Operation) -> TokenStream {
    let span = helper(reconcile.span());
    let value = expression(reconcile, operation);
    let (function, value) = match reconcile {
        Expr::Field(_) => ("probe", quote_spanned!(span=> |__unknown| #value(__unknown))),
        Expr::Path(_) => ("probe", value),
        _ => ("probe_closure", value),
    };
    let function = Ident::new(function, span);
    quote_spanned!(span=> let __probe = __idempotency::__private::#function(&__outcome, #value);)
}
