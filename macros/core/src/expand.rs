//! From an [`Operation`] to tokens: one call of the public builder, and the body as its argument.

mod chain;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

use crate::args::{Completed, Duration, InProgress, Mode};
use crate::diagnostic::Diagnostic;
use crate::krate;
use crate::operation::Operation;
use crate::policy::Policy;

// Input:
//     #[idempotent(key = "tenant_id + op", ttl = "7d")]
//     async fn create_order(tenant_id: TenantId) -> Result<Order, OrderError> { BODY }
//
// Output:
//     async fn create_order(tenant_id: TenantId) -> Result<Order, OrderError> {
//         let (__operation, __outcome, __declared) = {
//             use ::idempotency as __idempotency;
//             BUILDER
//             OUTCOME
//             (__operation, __outcome, __declared)
//         };
//         let __body = ::core::pin::pin!(async move { RETURN_EDGE { BODY } });
//         __declared.value(__operation.run_as(__outcome, __declared.body(__body)).await)
//     }
pub(crate) fn expand(operation: &Operation, policy: &Policy, warnings: &[Diagnostic]) -> TokenStream {
    let span = helper(operation.function.signature.ident.span());
    let import = import(operation, span);
    let builder = builder(operation, span);
    let outcome = outcome(operation);
    let body = body(operation);
    // One import, in a scope of its own: a wrong `crate = path` is one error, and the user's body does not see the
    // name. The locals have long names because a constant of the same name, which is not hygienic, would make a
    // pattern of them. The body is pinned here, since moving it through calls would make the future larger.
    let policy = policy.declared.then(|| krate::manifest(span));
    let warnings = warnings.iter().map(Diagnostic::to_warning);
    let content = quote_spanned! {span=>
        #policy
        #(#warnings)*
        let (__operation, __outcome, __declared) = {
            #import
            #builder
            #outcome
            (__operation, __outcome, __declared)
        };
        let __body = ::core::pin::pin!(#body);
        __declared.value(__operation.run_as(__outcome, __declared.body(__body)).await)
    };
    operation.function.with_body(content)
}

fn import(operation: &Operation, span: Span) -> TokenStream {
    let explicit = operation.krate.as_ref();
    let span = explicit.map_or(span, |path| helper(path.span()));
    let path = krate::path(explicit, span);
    quote_spanned!(span=> use #path as __idempotency;)
}

/// The span of every token of a helper call. With one token elsewhere, rustc underlines from here to there,
/// and prints the error twice.
fn helper(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}

// Output:
//     let __operation = __idempotency::operation("create_order");
//     let __operation = __operation.site({ static SITE: … ; &SITE });
//     let __operation = __operation.part("tenant_id", &tenant_id);
//     let __operation = __operation.ttl(::core::time::Duration::from_millis(604800000));
//
// One statement per call: the span of a chained call would reach from here to there, and rustc repeats an error
// whose spans differ.
fn builder(operation: &Operation, span: Span) -> TokenStream {
    let name_span = helper(operation.name.span);
    let name = text(&operation.name.text, name_span);
    let mut builder = quote_spanned!(name_span=> let __operation = __idempotency::operation(#name););
    builder.extend(site(operation, span));
    builder.extend(whose(operation, span));
    builder.extend(operation.key.iter().map(chain::part));
    builder.extend(operation.validate.selections().iter().map(chain::selection));
    builder.extend(operation.ttl.as_ref().map(|ttl| duration("ttl", ttl, operation)));
    builder.extend(operation.lease.as_ref().map(|lease| duration("lease", lease, operation)));
    builder.extend(
        operation
            .deadline
            .as_ref()
            .map(|deadline| call("deadline", &expression(deadline, operation), helper(deadline.span()))),
    );
    builder.extend(operation.in_progress.as_ref().map(|policy| in_progress(policy, operation)));
    builder.extend(operation.completed.map(completed));
    builder.extend(operation.mode.map(mode));
    builder.extend(operation.store.as_ref().map(|store| self::store(store, operation)));
    builder
}

/// `let __operation = __operation.method(arguments);`
fn call(method: &str, arguments: &TokenStream, span: Span) -> TokenStream {
    let method = Ident::new(method, span);
    quote_spanned!(span=> let __operation = __operation.#method(#arguments);)
}

/// Where the operation is defined; one `static` per function, in a block so that the body cannot name it.
fn site(operation: &Operation, span: Span) -> TokenStream {
    let function = text(&format!("::{}", operation.function.signature.ident), span);
    let site = quote_spanned! {span=>
        {
            static SITE: __idempotency::Site = __idempotency::Site::new(
                ::core::file!(),
                ::core::line!(),
                ::core::column!(),
                ::core::concat!(::core::module_path!(), #function),
            );
            &SITE
        }
    };
    call("site", &site, span)
}

/// Whose method it is, unless the operation has a name of its own: one method of a generic `impl`, or of a trait, is as
/// many operations as it has types.
fn whose(operation: &Operation, span: Span) -> Option<TokenStream> {
    let function = &operation.function;
    let is_default = function.signature.ident.unraw() == operation.name.text;
    let is_method = function.receiver.is_some();
    (is_default && is_method).then(|| quote_spanned!(span=> let __operation = __operation.of::<Self>();))
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
    let (variant, span) = match policy {
        Completed::Replay(span) => ("Replay", helper(span)),
        Completed::Reject(span) => ("Reject", helper(span)),
    };
    let variant = Ident::new(variant, span);
    call("completed", &quote_spanned!(span=> __idempotency::Completed::#variant), span)
}

fn mode(mode: Mode) -> TokenStream {
    let (variant, span) = match mode {
        Mode::Protect(span) => ("Protect", helper(span)),
        Mode::Observe(span) => ("Observe", helper(span)),
    };
    let variant = Ident::new(variant, span);
    call("mode", &quote_spanned!(span=> __idempotency::Mode::#variant), span)
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

// Output:
//     let (__outcome, __declared) = __idempotency::__private::outcome::<RET, _, _>();
//     let __outcome = __outcome.replayed(as_duplicate);
//
// Spanned at the return type, which is what it may find fault with.
fn outcome(operation: &Operation) -> TokenStream {
    let output = operation.output();
    let span = helper(output.span());
    let mut outcome = quote_spanned! {span=>
        let (__outcome, __declared) = __idempotency::__private::outcome::<#output, _, _>();
    };
    if let Some(replayed) = &operation.replayed {
        let span = helper(replayed.span());
        let replayed = with_receiver(replayed.to_token_stream(), operation);
        outcome.extend(quote_spanned!(span=> let __outcome = __outcome.replayed(#replayed);));
    }
    outcome
}

// Output:
//     async move {
//         if let Some(__value) = None::<RET> { return __value; }
//         { BODY }
//     }
//
// The unreachable `return` tells rustc the type that the body is written for: its errors then point at the
// user's expression and at the declared type.
fn body(operation: &Operation) -> TokenStream {
    let output = operation.output();
    let output_span = helper(output.span());
    let edge = quote_spanned! {output_span=>
        if let ::core::option::Option::Some(__value) = ::core::option::Option::None::<#output> {
            return __value;
        }
    };
    let block = &operation.function.body;
    let span = helper(block.span());
    // Fresh braces: with the user's own, a body of one expression warns about unused braces.
    let mut braces = Group::new(Delimiter::Brace, block.stream());
    braces.set_span(span);
    let braces = TokenTree::Group(braces);
    quote_spanned! {span=>
        async move {
            #edge
            #braces
        }
    }
}

fn expression(expression: &Expr, operation: &Operation) -> TokenStream {
    with_receiver(expression.to_token_stream(), operation)
}

/// `self` as it is called where the expansion stands.
fn with_receiver(tokens: TokenStream, operation: &Operation) -> TokenStream {
    match &operation.function.receiver {
        Some(receiver) if receiver != "self" => replace_self(tokens, receiver),
        _ => tokens,
    }
}

fn replace_self(tokens: TokenStream, receiver: &Ident) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut replaced = TokenStream::new();
    while let Some(token) = tokens.next() {
        let is_path = matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
        replaced.extend([match token {
            TokenTree::Ident(ident) if ident == "self" && !is_path => located(receiver, ident.span()).into(),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replace_self(group.stream(), receiver));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        }]);
    }
    replaced
}

/// The user's variable, shown elsewhere.
fn located(variable: &Ident, span: Span) -> Ident {
    let mut variable = variable.clone();
    variable.set_span(variable.span().located_at(span));
    variable
}

fn text(value: &str, span: Span) -> TokenStream {
    let mut literal = proc_macro2::Literal::string(value);
    literal.set_span(span);
    quote!(#literal)
}
