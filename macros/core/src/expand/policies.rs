//! One call of the builder for each policy.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::Expr;
use syn::spanned::Spanned as _;

use super::{call, expression, helper};
use crate::args::{Completed, Duration, InProgress, Mode, OnCrash, OnExpired, OnStoreError};
use crate::operation::Operation;

pub(super) fn calls(operation: &Operation) -> TokenStream {
    let deadline =
        |deadline: &Expr| call("deadline", &expression(deadline, operation), helper(deadline.span()));
    let mut calls = TokenStream::new();
    calls.extend(operation.ttl.as_ref().map(|ttl| duration("ttl", ttl, operation)));
    calls.extend(operation.lease.as_ref().map(|lease| duration("lease", lease, operation)));
    calls.extend(operation.deadline.as_ref().map(deadline));
    calls.extend(operation.in_progress.as_ref().map(|policy| in_progress(policy, operation)));
    calls.extend(operation.completed.map(completed));
    calls.extend(operation.on_crash.map(on_crash));
    calls.extend(operation.on_expired.map(on_expired));
    calls.extend(operation.tombstone.as_ref().map(|kept| duration("tombstone", kept, operation)));
    let effect_timeout = operation.effect_timeout.as_ref();
    calls.extend(effect_timeout.map(|span| duration("effect_timeout", span, operation)));
    calls.extend(operation.on_store_error.map(on_store_error));
    calls.extend(operation.mode.map(mode));
    calls.extend(operation.store.as_ref().map(|store| self::store(store, operation)));
    calls
}

fn duration(method: &str, duration: &Duration, operation: &Operation) -> TokenStream {
    let value = duration_value(duration, operation);
    let span = match duration {
        Duration::Milliseconds { span, .. } => helper(*span),
        Duration::Expression(expression) => helper(expression.span()),
    };
    call(method, &value, span)
}

fn duration_value(duration: &Duration, operation: &Operation) -> TokenStream {
    match duration {
        Duration::Milliseconds { value, span } => {
            let span = helper(*span);
            let mut value = proc_macro2::Literal::u64_unsuffixed(*value);
            value.set_span(span);
            quote_spanned!(span=> ::core::time::Duration::from_millis(#value))
        }
        Duration::Expression(value) => expression(value, operation),
    }
}

fn in_progress(policy: &InProgress, operation: &Operation) -> TokenStream {
    let (value, span) = match policy {
        InProgress::Reject(span) => {
            let span = helper(*span);
            (quote_spanned!(span=> __idempotency::InProgress::Reject), span)
        }
        InProgress::Wait(span, duration) => {
            let span = helper(*span);
            let duration = duration_value(duration, operation);
            (quote_spanned!(span=> __idempotency::InProgress::Wait(#duration)), span)
        }
    };
    call("in_progress", &value, span)
}

fn completed(policy: Completed) -> TokenStream {
    match policy {
        Completed::Replay(span) => choice("completed", "Completed", "Replay", span),
        Completed::Reject(span) => choice("completed", "Completed", "Reject", span),
    }
}

fn on_crash(policy: OnCrash) -> TokenStream {
    match policy {
        OnCrash::Rerun(span) => choice("on_crash", "OnCrash", "Rerun", span),
        OnCrash::Hold(span) => choice("on_crash", "OnCrash", "Hold", span),
    }
}

fn on_expired(policy: OnExpired) -> TokenStream {
    match policy {
        OnExpired::Run(span) => choice("on_expired", "OnExpired", "Run", span),
        OnExpired::Reject(span) => choice("on_expired", "OnExpired", "Reject", span),
    }
}

fn on_store_error(policy: OnStoreError) -> TokenStream {
    match policy {
        OnStoreError::Reject(span) => choice("on_store_error", "OnStoreError", "Reject", span),
        OnStoreError::Run(span) => choice("on_store_error", "OnStoreError", "Run", span),
    }
}

fn mode(mode: Mode) -> TokenStream {
    match mode {
        Mode::Protect(span) => choice("mode", "Mode", "Protect", span),
        Mode::Observe(span) => choice("mode", "Mode", "Observe", span),
    }
}

/// `let __operation = __operation.method(__idempotency::Type::Variant);`
fn choice(method: &str, ty: &str, variant: &str, span: Span) -> TokenStream {
    let span = helper(span);
    let ty = Ident::new(ty, span);
    let variant = Ident::new(variant, span);
    call(method, &quote_spanned!(span=> __idempotency::#ty::#variant), span)
}

/// The store by reference: stores, references and smart pointers to them all give an owned handle, and the body may
/// still move what the expression borrowed.
fn store(store: &Expr, operation: &Operation) -> TokenStream {
    let span = helper(store.span());
    let needs_parentheses = !matches!(
        store,
        Expr::Path(_)
            | Expr::Field(_)
            | Expr::MethodCall(_)
            | Expr::Call(_)
            | Expr::Macro(_)
            | Expr::Paren(_)
            | Expr::Index(_)
            | Expr::Try(_)
            | Expr::Await(_)
    );
    let tokens = expression(store, operation);
    let operand = if needs_parentheses { quote_spanned!(span=> (#tokens)) } else { tokens };
    // The `&` in the context of the user's tokens: rustc then underlines all of the expression.
    let reference = quote_spanned!(store.span()=> &);
    let erased = quote_spanned!(span=> __idempotency::__private::Erase::erase(#reference #operand));
    call("store", &erased, span)
}
