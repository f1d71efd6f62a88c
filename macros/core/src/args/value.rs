//! One reader per kind of value.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Expr, ExprPath, LitInt, LitStr, Token, token};

use super::parse_or_report;
use crate::diagnostic::Place;
use crate::key::Source;
use crate::literal::TextLiteral;
use crate::report::Report;
use crate::{suggest, ttl};

/// A literal in the short form, or an expression over the arguments.
#[derive(Clone, Debug)]
pub(crate) enum Duration {
    Milliseconds { value: u64, span: Span },
    Expression(Expr),
}

/// The explicit name of the operation.
#[derive(Clone, Debug)]
pub(crate) struct OperationName {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// What a concurrent duplicate gets.
#[derive(Clone, Debug)]
pub(crate) enum InProgress {
    Reject(Span),
    Wait(Span, Duration),
}

/// What a later duplicate gets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Completed {
    Replay(Span),
    Reject(Span),
}

/// Whether duplicates are stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mode {
    Protect(Span),
    Observe(Span),
}

/// `key = "a + op"` or `key = a + op`
pub(super) fn source(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Source> {
    equals(name, input, report)?;
    if let Some(literal) = lone_text(input) {
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
    if !input.peek(token::Paren) {
        report
            .error("malformed-argument", &Place::at(name.span()), "`ignore` takes a list in parentheses")
            .help("`ignore(db, clock)`");
        return None;
    }
    let content;
    syn::parenthesized!(content in input).span.open();
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
            report
                .error("malformed-argument", &Place::at(content.span()), "`ignore` takes whole arguments")
                .help(format!("`ignore({argument})`"))
                .note("to leave out one field, exclude it: `validate = \"body - body.sent_at\"`");
            skip_to_end(content);
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

/// `ttl = "7d"` or `ttl = settings.retention`
pub(super) fn duration(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Duration> {
    equals(name, input, report)?;
    duration_value(name, input, report)
}

fn duration_value(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Duration> {
    if let Some(literal) = lone_text(input) {
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
    if input.peek(LitInt) {
        let literal: LitInt = input.parse().ok()?;
        let digits = literal.base10_digits();
        report
            .error("bad-duration", &Place::at(literal.span()), format!("duration `{literal}` has no unit"))
            .help(format!("`\"{digits}s\"` for seconds, `\"{digits}d\"` for days"))
            .note(ttl::FORMS);
        skip_to_comma(input);
        return None;
    }
    expression_value(name, input, report).map(Duration::Expression)
}

/// `op = "orders.create"`
pub(super) fn operation_name(
    name: &Ident,
    input: ParseStream<'_>,
    report: &mut Report,
) -> Option<OperationName> {
    equals(name, input, report)?;
    let literal: LitStr =
        parse_or_report(input, name, "a text", "op = \"orders.create\"", report)?;
    let text = Rc::new(TextLiteral::new(&literal));
    let value = text.value();
    if value.is_empty() || value.len() > LONGEST_NAME {
        let message = if value.is_empty() { "`op` is empty" } else { "`op` is longer than 64 characters" };
        report
            .error("bad-operation-name", &Place::at(literal.span()), message)
            .help("`op = \"orders.create\"`")
            .note(NAMES);
        return None;
    }
    if let Some((start, wrong)) = value.char_indices().find(|(_, c)| !is_name_character(*c)) {
        let place = Place::within(&text, start..start + wrong.len_utf8());
        let better: String = value.chars().map(|c| if is_name_character(c) { c } else { '_' }).collect();
        report
            .error("bad-operation-name", &place, format!("`{wrong}` cannot stand in the name of an operation"))
            .help(format!("`op = \"{better}\"`"))
            .note(NAMES);
        return None;
    }
    Some(OperationName { text: value.to_owned(), span: literal.span() })
}

/// What the name of an operation is made of.
pub(crate) const NAMES: &str = "names hold letters, digits, `_`, `.` and `-`, at most 64";

const LONGEST_NAME: usize = 64;

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}

/// Whether `name` can be an operation's.
pub(crate) fn is_operation_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_name_character)
}

/// `in_progress = reject` or `in_progress = wait("5s")`
pub(super) fn in_progress(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<InProgress> {
    let word = word(name, input, ["reject", "wait"], report)?;
    let span = word.span();
    if word == "reject" {
        return Some(InProgress::Reject(span));
    }
    if !input.peek(token::Paren) {
        report
            .error("malformed-argument", &Place::at(span), "`wait` needs a duration")
            .help("`in_progress = wait(\"5s\")`");
        return None;
    }
    let content;
    syn::parenthesized!(content in input).span.open();
    let duration = duration_value(&word, &content, report);
    skip_to_end(&content);
    duration.map(|duration| InProgress::Wait(span, duration))
}

/// `completed = replay` or `completed = reject`
pub(super) fn completed(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Completed> {
    let word = word(name, input, ["replay", "reject"], report)?;
    Some(if word == "replay" { Completed::Replay(word.span()) } else { Completed::Reject(word.span()) })
}

/// `mode = protect` or `mode = observe`
pub(super) fn mode(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Mode> {
    let word = word(name, input, ["protect", "observe"], report)?;
    Some(if word == "protect" { Mode::Protect(word.span()) } else { Mode::Observe(word.span()) })
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
pub(super) fn path_expression(
    name: &Ident,
    input: ParseStream<'_>,
    report: &mut Report,
) -> Option<ExprPath> {
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
    syn::parse::discouraged::Speculative::advance_to(input, &fork);
    Some(path)
}

/// One of two words.
fn word(name: &Ident, input: ParseStream<'_>, words: [&str; 2], report: &mut Report) -> Option<Ident> {
    equals(name, input, report)?;
    let found = input.fork().parse::<TokenTree>();
    let place = found.as_ref().map_or_else(|_| Place::at(name.span()), Place::of);
    let found = found.map(|token| token.to_string()).unwrap_or_default();
    let [first, second] = words;
    if words.contains(&found.as_str()) {
        return input.call(Ident::parse_any).ok();
    }
    let bare = found.trim_matches('"');
    let meant = suggest::closest(bare, words).unwrap_or(first);
    report
        .error("malformed-argument", &place, format!("`{name}` is `{first}` or `{second}`, not `{bare}`"))
        .help(format!("`{name} = {meant}`"));
    None
}

fn equals(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<()> {
    if input.parse::<Option<Token![=]>>().is_ok_and(|token| token.is_some()) {
        return Some(());
    }
    report_no_value(name, report);
    skip_to_comma(input);
    None
}

fn report_no_value(name: &Ident, report: &mut Report) {
    report
        .error("malformed-argument", &Place::at(name.span()), format!("`{name}` needs a value"))
        .help(format!("`{}`", example(name)));
}

fn example(name: &Ident) -> &'static str {
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
        "mode" => "mode = observe",
        "store" => "store = self.store",
        _ => "crate = my_crate::idempotency",
    }
}

/// A string literal that is the whole value.
fn lone_text(input: ParseStream<'_>) -> Option<LitStr> {
    let fork = input.fork();
    let literal = fork.parse::<LitStr>().ok()?;
    if !fork.is_empty() && !fork.peek(Token![,]) {
        return None;
    }
    syn::parse::discouraged::Speculative::advance_to(input, &fork);
    Some(literal)
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
        } else if depth == 0 && input.peek(Token![,]) {
            break;
        }
        match input.parse::<TokenTree>() {
            Ok(token) => tokens.extend([token]),
            Err(_) => break,
        }
    }
    tokens
}

/// Skips the rest of this argument.
pub(super) fn skip_to_comma(input: ParseStream<'_>) {
    tokens_to_comma(input);
}

fn skip_to_end(input: ParseStream<'_>) {
    while input.parse::<TokenTree>().is_ok() {}
}

/// The rest of this argument as text.
pub(super) fn shown(input: ParseStream<'_>) -> String {
    let rest = tokens_to_comma(&input.fork()).to_string();
    if rest.starts_with('(') { rest } else { format!(" {rest}") }
}
