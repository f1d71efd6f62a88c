//! From an [`Operation`] to tokens: one call of the public builder, and the body as its argument.

mod chain;
mod outcome;
mod policies;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

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
//
// With `reconcile` there is a `__probe` among the locals, and the last line is a call of `run_asked`. With
// `detached` the body is not pinned, and the call is one of `run_detached` or `run_detached_asked`.
pub(crate) fn expand(operation: &Operation, policy: &Policy, warnings: &[Diagnostic]) -> TokenStream {
    let span = helper(operation.function.signature.ident.span());
    let import = import(operation, span);
    let builder = builder(operation, span);
    let outcome = outcome::statements(operation, policy);
    let body = body(operation);
    let probe = operation.reconcile.as_ref().map(|_| quote_spanned!(span=> , __probe));
    // One import, in a scope of its own: a wrong `crate = path` is one error, and the user's body does not see the
    // name. The locals have long names because a constant of the same name, which is not hygienic, would make a
    // pattern of them. The body is pinned here, since moving it through calls would make the future larger.
    let run = run(operation, &body, span);
    let policy = policy.declared.then(|| krate::manifest(span));
    let warnings = warnings.iter().map(Diagnostic::to_warning);
    let content = quote_spanned! {span=>
        #policy
        #(#warnings)*
        let (__operation, __outcome, __declared #probe) = {
            #import
            #builder
            #outcome
            (__operation, __outcome, __declared #probe)
        };
        #run
    };
    operation.function.with_body(content)
}

/// The body as a local, and the call that runs it.
fn run(operation: &Operation, body: &TokenStream, span: Span) -> TokenStream {
    // What a detached body lacks is said at the word that asks for it.
    let span = operation.detached.map_or(span, helper);
    let probe = operation.reconcile.as_ref().map(|_| quote_spanned!(span=> __probe,));
    let method = match (operation.detached.is_some(), probe.is_some()) {
        (false, false) => "run_as",
        (false, true) => "run_asked",
        (true, false) => "run_detached",
        (true, true) => "run_detached_asked",
    };
    let method = Ident::new(method, span);
    if operation.detached.is_some() {
        return quote_spanned! {span=>
            let __body = #body;
            __declared.value(__operation.#method(__outcome, #probe __declared.detached(__body)).await)
        };
    }
    quote_spanned! {span=>
        let __body = ::core::pin::pin!(#body);
        __declared.value(__operation.#method(__outcome, #probe __declared.body(__body)).await)
    }
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
    builder.extend(policies::calls(operation));
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
    // Fresh braces: with the user's own, a body of one expression warns about unused braces.
    let mut braces = Group::new(Delimiter::Brace, block.stream());
    braces.set_span(helper(block.span()));
    let braces = TokenTree::Group(braces);
    // The block is at the user's own span: of one that stands in an expansion rustc does not name the captured variables,
    // and an error of the borrow checker speaks of `value` and of temporaries.
    quote_spanned! {block.span()=>
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
