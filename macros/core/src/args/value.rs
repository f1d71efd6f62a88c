//! One reader per kind of value.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{Parse, ParseBuffer, ParseStream};
use syn::{Expr, ExprPath, LitInt, LitStr, Token};

use super::parse_or_report;
use crate::diagnostic::Place;
use crate::key::Source;
use crate::literal::TextLiteral;
use crate::report::Report;
use crate::ttl;

/// A literal in the short form, or an expression over the arguments.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a few per attribute")]
pub(crate) enum Duration {
    Milliseconds { value: u64, span: Span },
    Expression(Expr),
}

/// `key = "a + op"` or `key = a + op`
pub(super) fn source(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Source> {
    equals(name, input, report)?;
    if let Some(literal) = lone::<LitStr>(input) {
        return Some(Source::text(&literal));
    }
    let tokens = tokens_to_comma(input);
    if tokens.is_empty() {
        report_no_value(name, report);
        return None;
    }
    Some(Source::Tokens(tokens))
}

/// `ignore(db, clock)`
pub(super) fn ignore(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Vec<Ident>> {
    let Ok(content) = parenthesized(input) else {
        report
            .error("malformed-argument", &Place::at(name.span()), "`ignore` takes a list in parentheses")
            .help("`ignore(db, clock)`");
        return None;
    };
    let content: ParseStream<'_> = &content;
    let mut names = Vec::new();
    while !content.is_empty() {
        let Ok(argument) = content.call(Ident::parse_any) else {
            let found = content.parse::<TokenTree>();
            let place = found.as_ref().map_or_else(|_| Place::at(content.span()), Place::of);
            let found = found.map(|found| found.to_string()).unwrap_or_default();
            report
                .error("malformed-argument", &place, format!("expected a name, found `{found}`"))
                .help("`ignore(db, clock)`: names of arguments, without quotes");
            skip_to_end(content);
            return None;
        };
        if !content.is_empty() && content.parse::<Token![,]>().is_err() {
            report_part_ignored(&argument, content, report);
            return None;
        }
        names.push(argument);
    }
    if names.is_empty() {
        report
            .error("malformed-argument", &Place::at(name.span()), "`ignore` names no argument")
            .help("`ignore(db)`, or remove it");
    }
    Some(names)
}

fn report_part_ignored(argument: &Ident, content: ParseStream<'_>, report: &mut Report) {
    let rest = tokens_to_comma(content);
    let place = Place::at(argument.span()).to(&Place::of(&rest));
    let field: String = rest.to_string().split_whitespace().collect();
    report
        .error("malformed-argument", &place, "`ignore` takes whole arguments")
        .help(format!("`ignore({argument})`"))
        .note(format!("to leave out one field, exclude it: `validate = \"{argument} - {argument}{field}\"`"));
    skip_to_end(content);
}

/// `ttl = "7d"` or `ttl = settings.retention`
pub(super) fn duration(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Duration> {
    equals(name, input, report)?;
    duration_value(name, input, report)
}

pub(super) fn duration_value(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Duration> {
    if let Some(literal) = lone::<LitStr>(input) {
        let text = Rc::new(TextLiteral::new(&literal));
        return match ttl::parse(text.value()) {
            Ok(value) => Some(Duration::Milliseconds { value, span: literal.span() }),
            Err(problem) => {
                let place = if text.value().is_empty() {
                    Place::at(literal.span())
                } else {
                    Place::within(&text, problem.range)
                };
                report.error("bad-duration", &place, problem.message).help(problem.help).note(ttl::FORMS);
                None
            }
        };
    }
    if let Some(literal) = lone::<LitInt>(input) {
        let (message, help) = if ttl::parse(&literal.to_string()).is_ok() {
            (format!("duration `{literal}` stands without quotes"), format!("`\"{literal}\"`"))
        } else {
            (format!("duration `{literal}` has no unit"), ttl::units_for(literal.base10_digits()))
        };
        report.error("bad-duration", &Place::at(literal.span()), message).help(help).note(ttl::FORMS);
        return None;
    }
    expression_value(name, input, report).map(Duration::Expression)
}

/// `store = self.store`
pub(super) fn expression(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Expr> {
    equals(name, input, report)?;
    expression_value(name, input, report)
}

fn expression_value(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Expr> {
    if input.is_empty() || input.peek(Token![,]) {
        report_no_value(name, report);
        return None;
    }
    parse_or_report(input, name, "an expression", example(name), report)
}

/// `replayed = as_duplicate`
pub(super) fn path_expression(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<ExprPath> {
    equals(name, input, report)?;
    parse_or_report(input, name, "the path of a function", example(name), report)
}

/// `crate = my::idempotency`
pub(super) fn crate_path(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<syn::Path> {
    equals(name, input, report)?;
    let fork = input.fork();
    let Ok(path) = fork.call(syn::Path::parse_mod_style) else {
        let place = if input.is_empty() { Place::at(name.span()) } else { Place::at(input.span()) };
        report
            .error("malformed-argument", &place, "`crate` needs a path")
            .help(format!("`{}`", example(name)));
        return None;
    };
    input.advance_to(&fork);
    Some(path)
}

pub(super) fn equals(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<()> {
    if input.parse::<Option<Token![=]>>().is_ok_and(|token| token.is_some()) {
        return Some(());
    }
    report_no_value(name, report);
    skip_to_comma(input);
    None
}

pub(super) fn report_no_value(name: &Ident, report: &mut Report) {
    report
        .error("malformed-argument", &Place::at(name.span()), format!("`{name}` needs a value"))
        .help(format!("`{}`", example(name)));
}

pub(super) fn example(name: &Ident) -> &'static str {
    match name.to_string().as_str() {
        "key" => "key = \"tenant_id + op + order_no\"",
        "validate" => "validate = \"body\"",
        "ttl" => "ttl = \"7d\"",
        "op" => "op = \"orders.create\"",
        "lease" => "lease = \"30s\"",
        "deadline" => "deadline = context.deadline()",
        "in_progress" => "in_progress = wait(\"5s\")",
        "wait" => "wait(\"5s\")",
        "completed" => "completed = reject",
        "replayed" => "replayed = as_duplicate",
        "on_crash" => "on_crash = hold",
        "on_expired" => "on_expired = reject",
        "tombstone" => "tombstone = \"30d\"",
        "effect_timeout" => "effect_timeout = \"1m\"",
        "on_store_error" => "on_store_error = run",
        "mode" => "mode = observe",
        "store" => "store = self.store",
        "source" => "source = sqs(retention = \"14d\")",
        "version" => "version = 2",
        "migrate" => "migrate = from_version_1",
        "codec" => "codec = idempotency::MessagePackCodec",
        "reconcile" => "reconcile = find_charge",
        "scope" => "scope = global",
        _ => "crate = my_crate::idempotency",
    }
}

/// A literal that is the whole value.
pub(super) fn lone<T: Parse>(input: ParseStream<'_>) -> Option<T> {
    let fork = input.fork();
    let literal = fork.parse().ok()?;
    if !at_end(&fork) {
        return None;
    }
    input.advance_to(&fork);
    Some(literal)
}

/// Behind the value: at a comma, or where one was forgotten.
pub(super) fn at_end(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![,]) || at_argument(input)
}

/// At `name =`.
pub(super) fn at_argument(input: ParseStream<'_>) -> bool {
    input.peek(Ident::peek_any)
        && input.peek2(Token![=])
        && !input.peek2(Token![==])
        && !input.peek2(Token![=>])
}

/// The rest of this argument. The commas of a turbofish belong to it.
fn tokens_to_comma(input: ParseStream<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    let mut depth = 0_usize;
    while !input.is_empty() {
        if input.peek(Token![::]) && input.peek3(Token![<]) {
            depth += 1;
        } else if input.peek(Token![>]) {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && (input.peek(Token![,]) || (!tokens.is_empty() && at_argument(input))) {
            break;
        }
        match input.parse::<TokenTree>() {
            Ok(token) => tokens.extend([token]),
            Err(_) => break,
        }
    }
    tokens
}

pub(super) fn parenthesized(input: ParseStream<'_>) -> syn::Result<ParseBuffer<'_>> {
    let content;
    syn::parenthesized!(content in input);
    Ok(content)
}

/// Skips the rest of this argument.
pub(super) fn skip_to_comma(input: ParseStream<'_>) {
    tokens_to_comma(input);
}

pub(super) fn skip_to_end(input: ParseStream<'_>) {
    while input.parse::<TokenTree>().is_ok() {}
}

/// The rest of this argument as text.
pub(super) fn shown(input: ParseStream<'_>) -> String {
    let rest = tokens_to_comma(&input.fork()).to_string();
    if rest.starts_with('(') { rest } else { format!(" {rest}") }
}
