//! What the statements that catch an error do with it.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Ident, Pat, Stmt};

use super::super::words::calls;
use super::awaited::{called, starts_upper};

/// What is done with an error that goes no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Handling {
    pub(super) logged: bool,
    /// Whether the function goes on behind it; otherwise it ends with a success.
    pub(super) goes_on: bool,
}

/// What an arm, or a block as an expression, does with the error that `pattern` catches.
pub(super) fn of_expression(body: &Expr, pattern: Option<&Pat>) -> Option<Handling> {
    match body {
        Expr::Block(block) => of_statements(&block.block.stmts, pattern),
        Expr::Macro(_) => {
            only_logs(&[Stmt::Expr(body.clone(), None)]).then_some(Handling { logged: true, goes_on: true })
        }
        body if is_success(body) => Some(Handling { logged: false, goes_on: false }),
        body => is_empty(body).then_some(Handling { logged: false, goes_on: true }),
    }
}

/// The same of statements; none if they do more than log it, with one statement beside that at most, and go on or
/// report success.
pub(super) fn of_statements(statements: &[Stmt], pattern: Option<&Pat>) -> Option<Handling> {
    let (before, goes_on) = match statements.split_last() {
        Some((Stmt::Expr(last, _), before)) if is_success(last) => (before, false),
        Some((Stmt::Expr(last, None | Some(_)), before))
            if !before.is_empty() && is_answer(last, pattern) =>
        {
            if !only_logs(before) {
                return None;
            }
            (before, matches!(last, Expr::Call(call) if !is_ok(call)))
        }
        _ => (statements, true),
    };
    let (logs, others): (Vec<&Stmt>, Vec<&Stmt>) = before.iter().partition(|statement| is_log(statement));
    match others.as_slice() {
        [] => {}
        [only] if !logs.is_empty() && is_aside(only, pattern) => {}
        _ => return None,
    }
    Some(Handling { logged: !logs.is_empty(), goes_on })
}

/// `{}` or `()`.
pub(super) fn is_empty(body: &Expr) -> bool {
    match body {
        Expr::Block(block) => block.block.stmts.is_empty(),
        Expr::Tuple(unit) => unit.elems.is_empty(),
        _ => false,
    }
}

/// `Ok(())`, `return Ok(())`
pub(super) fn is_success(expression: &Expr) -> bool {
    match expression {
        Expr::Return(returned) => returned.expr.as_deref().is_some_and(is_success),
        Expr::Call(call) => is_ok(call) && call.args.first().is_some_and(is_empty),
        _ => false,
    }
}

fn is_ok(call: &syn::ExprCall) -> bool {
    called(&call.func).is_some_and(|name| name == "Ok")
}

/// A value that says nothing about the error: `Ok(None)`, `return Ok(Receipt::none())`, `Receipt::default()`. One with
/// a variant in it, as `Ok(Outcome::Refused)`, is a decision.
fn is_answer(expression: &Expr, pattern: Option<&Pat>) -> bool {
    match expression {
        Expr::Return(returned) => {
            let value = returned.expr.as_deref();
            value.is_some_and(|value| {
                matches!(value, Expr::Call(call) if is_ok(call)) && is_answer(value, pattern)
            })
        }
        Expr::Call(call) if is_ok(call) => call.args.first().is_some_and(|value| match value {
            Expr::Lit(_) => true,
            Expr::Path(path) => path.path.is_ident("None"),
            value => is_constructor(value) && !uses(value, pattern),
        }),
        value => is_constructor(value) && !uses(value, pattern),
    }
}

/// `Receipt::none()`, `String::new()`
fn is_constructor(expression: &Expr) -> bool {
    let Expr::Call(call) = expression else { return false };
    let Expr::Path(path) = &*call.func else { return false };
    let mut segments = path.path.segments.iter().rev().map(|segment| &segment.ident);
    segments.next().is_some_and(|last| !starts_upper(last)) && segments.next().is_some_and(starts_upper)
}

/// Whether it is beside the point: it leaves nothing behind that what follows could look at.
fn is_aside(statement: &Stmt, pattern: Option<&Pat>) -> bool {
    let called = match statement {
        Stmt::Expr(Expr::MethodCall(call), Some(_)) => {
            !calls::COLLECTORS.iter().any(|collector| call.method == collector)
        }
        Stmt::Expr(Expr::Call(_), Some(_)) => true,
        _ => false,
    };
    called && !holds(statement, &["await", "mut"]) && !has_question(statement) && !uses(statement, pattern)
}

pub(super) fn only_logs(statements: &[Stmt]) -> bool {
    statements.iter().all(is_log)
}

fn is_log(statement: &Stmt) -> bool {
    match statement {
        Stmt::Macro(statement) => is_log_macro(&statement.mac),
        Stmt::Expr(Expr::Macro(expression), _) => is_log_macro(&expression.mac),
        Stmt::Expr(Expr::Tuple(unit), _) => unit.elems.is_empty(),
        Stmt::Expr(Expr::MethodCall(call), _) => is_log_call(&call.method),
        Stmt::Expr(Expr::Call(call), _) => called(&call.func).is_some_and(is_log_call),
        _ => false,
    }
}

fn is_log_macro(call: &syn::Macro) -> bool {
    call.path.segments.last().is_some_and(|last| calls::LOG_MACROS.iter().any(|log| last.ident == log))
}

/// `logger.warn(..)`, `log_failure(..)`, `failures.increment(1)`
fn is_log_call(name: &Ident) -> bool {
    let name = name.to_string();
    let verb = name.split('_').next().unwrap_or(&name);
    calls::LOG_VERBS.contains(&verb)
}

/// Whether the tokens leave the block that they stand in.
pub(super) fn exits(tokens: &impl ToTokens) -> bool {
    holds(tokens, &["return", "break", "continue"])
}

/// Whether the variable that `pattern` binds the error to stands in the tokens.
fn uses(tokens: &impl ToTokens, pattern: Option<&Pat>) -> bool {
    let Some(Pat::TupleStruct(caught)) = pattern else { return false };
    caught.elems.iter().any(|inner| match inner {
        Pat::Ident(error) => holds(tokens, &[error.ident.to_string().as_str()]),
        _ => false,
    })
}

fn holds(tokens: &impl ToTokens, words: &[&str]) -> bool {
    any(
        tokens.to_token_stream(),
        &|token| matches!(token, TokenTree::Ident(ident) if words.iter().any(|word| ident == word)),
    )
}

fn has_question(tokens: &impl ToTokens) -> bool {
    any(tokens.to_token_stream(), &|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '?'))
}

fn any(tokens: TokenStream, is_wanted: &impl Fn(&TokenTree) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => any(group.stream(), is_wanted),
        token => is_wanted(&token),
    })
}

/// How often the variable `name` stands in the tokens, in captures of format strings as well.
pub(super) fn mentions(tokens: TokenStream, name: &str) -> usize {
    let in_one = |token| match token {
        TokenTree::Ident(ident) => usize::from(ident == name),
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            let captures = text.split('{').skip(1).filter_map(|rest| rest.split(['}', ':']).next());
            captures.filter(|capture| *capture == name).count()
        }
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Punct(_) => 0,
    };
    tokens.into_iter().map(in_one).sum()
}
