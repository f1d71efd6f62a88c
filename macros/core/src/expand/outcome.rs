//! How the result is recorded and replayed, what its errors mean, and how an unknown outcome is found out.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned as _;

use super::{expression, helper, with_receiver};
use crate::operation::Operation;

// Output:
//     let (__outcome, __declared) = __idempotency::__private::outcome::<RET, _, _>();
//     let __outcome = __outcome.with_classes({
//         use __idempotency::__private::{WithClasses as _, WithoutClasses as _};
//         (&__declared.error_type()).classes()
//     });
//     let __outcome = __outcome.version(2);
//     let __outcome = __outcome.migrate(from_version_1);
//     let __outcome = __outcome.replayed(as_duplicate);
//     let __probe = __idempotency::__private::probe(&__outcome, PROBE);
//
// Spanned at the return type, which is what it may find fault with, and the others at their values.
pub(super) fn statements(operation: &Operation) -> TokenStream {
    let mut statements = declared(operation);
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
    statements.extend(operation.reconcile.as_ref().map(|reconcile| probe(reconcile, operation)));
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
            use __idempotency::__private::{WithClasses as _, WithoutClasses as _};
            (&__declared.error_type()).classes()
        });
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
