//! How results are recorded and found out, and where the body runs: `version`, `codec`, `reconcile` and `detached`.

use proc_macro2::{Ident, Span, TokenTree};
use quote::ToTokens as _;
use syn::parse::ParseStream;
use syn::{Expr, LitInt, Token, TypePath};

use super::parse_or_report;
use super::value::{at_end, equals, example, expression, lone, report_no_value, skip_to_comma};
use crate::diagnostic::Place;
use crate::report::Report;

/// The version of the recorded result type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Version {
    pub(crate) number: u32,
    pub(crate) span: Span,
}

/// `version = 2`
pub(super) fn version(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Version> {
    equals(name, input, report)?;
    if input.is_empty() || input.peek(Token![,]) {
        report_no_value(name, report);
        return None;
    }
    let place = Place::at(input.span());
    if let Some(literal) = lone::<LitInt>(input)
        && matches!(literal.suffix(), "" | "u32")
    {
        match literal.base10_parse() {
            Ok(0) => {
                report
                    .error("malformed-argument", &place, "versions are counted from 1")
                    .help("`version = 1`, or leave it out: 1 is what an operation without `version` records");
                return None;
            }
            Ok(number) => return Some(Version { number, span: literal.span() }),
            Err(_) => {}
        }
    }
    report
        .error("malformed-argument", &place, "`version` is a whole number from 1")
        .help(format!("`{}`", example(name)));
    skip_to_comma(input);
    None
}

/// `codec = idempotency::MessagePackCodec`
pub(super) fn codec(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<TypePath> {
    equals(name, input, report)?;
    parse_or_report(input, name, "the path of a type", example(name), report)
}

/// `reconcile = find_charge`
pub(super) fn reconcile(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Expr> {
    let probe = expression(name, input, report)?;
    let Some(function) = called(&probe) else { return Some(probe) };
    report
        .error("malformed-argument", &Place::of(&probe), "`reconcile` is a function, not a call")
        .help(format!(
            "`reconcile = {function}`, an `async fn {}(unknown: UnknownOutcome) -> Result<Reconciled<_>, _>`",
            function.rsplit(['.', ':']).next().unwrap_or(&function)
        ))
        .note("for a function of more arguments a closure: `reconcile = |unknown| find(unknown, &order_no)`");
    None
}

/// What is called, or awaited, as the whole of this expression: `self.find` of `self.find(unknown).await`.
fn called(probe: &Expr) -> Option<String> {
    let shown = |expression: &Expr| -> String {
        expression.to_token_stream().to_string().split_whitespace().collect()
    };
    match probe {
        Expr::Await(awaited) => called(&awaited.base),
        Expr::Try(tried) => called(&tried.expr),
        Expr::Group(group) => called(&group.expr),
        Expr::Paren(inside) => called(&inside.expr),
        Expr::Call(call) if matches!(*call.func, Expr::Path(_)) => Some(shown(&call.func)),
        Expr::MethodCall(call) if matches!(*call.receiver, Expr::Path(_)) => {
            Some(format!("{}.{}", shown(&call.receiver), call.method))
        }
        _ => None,
    }
}

/// `detached`
pub(super) fn detached(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Span> {
    if at_end(input) && !input.peek(Token![=]) {
        return Some(name.span());
    }
    let mut place = Place::at(input.span());
    if input.parse::<Option<Token![=]>>().is_ok_and(|token| token.is_some())
        && let Ok(value) = input.fork().parse::<TokenTree>()
    {
        place = Place::of(&value);
    }
    report
        .error("malformed-argument", &place, "`detached` takes no value")
        .help("`detached`, or leave it out");
    skip_to_comma(input);
    None
}
