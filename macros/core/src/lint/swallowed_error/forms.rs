//! What throws an error away, and what only looks like it.

use syn::{Expr, ExprMethodCall, Ident, Pat, Stmt, UnOp};

use super::calls;

/// What stands in the place of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fallback {
    Default,
    Nothing,
    Logged,
}

/// What `call` puts in the place of the error of something awaited.
pub(super) fn fallback(call: &ExprMethodCall) -> Option<Fallback> {
    if !is_work(&call.receiver) {
        return None;
    }
    match (call.method.to_string().as_str(), call.args.first()) {
        ("unwrap_or_default", None) => Some(Fallback::Default),
        ("unwrap_or" | "or", Some(value)) => {
            (is_empty(value) || is_success(value)).then_some(Fallback::Nothing)
        }
        ("unwrap_or_else" | "or_else", Some(Expr::Closure(closure))) => in_place(&closure.body),
        _ => None,
    }
}

/// A value that is computed is a decision; nothing, or a log with any value, is not.
fn in_place(body: &Expr) -> Option<Fallback> {
    let statements = match body {
        body if is_empty(body) || is_success(body) => return Some(Fallback::Nothing),
        Expr::Macro(log) => return is_log(&log.mac).then_some(Fallback::Logged),
        Expr::Block(block) => &block.block.stmts,
        _ => return None,
    };
    let (last, before) = statements.split_last()?;
    let ends_with_value = matches!(last, Stmt::Expr(value, None) if !matches!(value, Expr::Macro(_)));
    let logs = if ends_with_value { before } else { statements.as_slice() };
    (!logs.is_empty() && only_logs(logs)).then_some(Fallback::Logged)
}

/// Whether the expression awaits a call that may have done something: a failed read leaves nothing undone.
pub(super) fn is_work(expression: &Expr) -> bool {
    let Expr::Await(awaited) = expression else { return false };
    match &*awaited.base {
        Expr::Call(call) => called(&call.func).is_none_or(|name| !is_read(&name.to_string())),
        Expr::MethodCall(call) => is_writing_method(call),
        _ => true,
    }
}

/// `get_item().key(no).send()` reads, though it ends as a write does.
fn is_writing_method(call: &ExprMethodCall) -> bool {
    let name = call.method.to_string();
    if is_read(&name) {
        return false;
    }
    if !calls::SENDERS.contains(&name.as_str()) {
        return true;
    }
    let mut receiver = &*call.receiver;
    while let Expr::MethodCall(before) = receiver {
        if is_read(&before.method.to_string()) {
            return false;
        }
        receiver = &before.receiver;
    }
    true
}

fn is_read(name: &str) -> bool {
    let name = name.strip_prefix("try_").unwrap_or(name);
    let verb = name.split('_').next().unwrap_or(name);
    calls::READS.contains(&verb) || calls::RESPONSE_BODIES.contains(&name)
}

fn called(function: &Expr) -> Option<&Ident> {
    let Expr::Path(path) = function else { return None };
    path.path.segments.last().map(|last| &last.ident)
}

/// `drop`, `std::mem::drop`
pub(super) fn is_drop(function: &Expr) -> bool {
    called(function).is_some_and(|name| name == "drop")
}

/// The method in `send().await.is_err()`, or in `!send().await.is_ok()`.
pub(super) fn tested_for_error(condition: &Expr) -> Option<&Ident> {
    let (call, wanted) = match condition {
        Expr::MethodCall(call) => (call, "is_err"),
        Expr::Unary(not) if matches!(not.op, UnOp::Not(_)) => match &*not.expr {
            Expr::MethodCall(call) => (call, "is_ok"),
            _ => return None,
        },
        _ => return None,
    };
    (call.method == wanted && is_work(&call.receiver)).then_some(&call.method)
}

/// `{}` or `()`.
pub(super) fn is_empty(body: &Expr) -> bool {
    match body {
        Expr::Block(block) => block.block.stmts.is_empty(),
        Expr::Tuple(unit) => unit.elems.is_empty(),
        _ => false,
    }
}

/// `Err(..)` that catches every error: a variant by name is a decision.
pub(super) fn is_error_pattern(pattern: &Pat) -> bool {
    let Pat::TupleStruct(pattern) = pattern else { return false };
    let catches_all =
        pattern.elems.iter().all(|inner| matches!(inner, Pat::Ident(_) | Pat::Wild(_) | Pat::Rest(_)));
    catches_all && pattern.path.segments.last().is_some_and(|last| last.ident == "Err")
}

/// What is done with an error that goes no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handling {
    Ignored,
    Logged,
}

/// What the statements that catch an error do with it; none if they do more than log it and report success.
pub(super) fn handling(statements: &[Stmt]) -> Option<Handling> {
    let logs = match statements.split_last() {
        Some((Stmt::Expr(last, _), before)) if is_success(last) => before,
        _ => statements,
    };
    if !only_logs(logs) {
        return None;
    }
    Some(if logs.is_empty() { Handling::Ignored } else { Handling::Logged })
}

/// `Ok(())`, `return Ok(())`
pub(super) fn is_success(expression: &Expr) -> bool {
    match expression {
        Expr::Return(returned) => returned.expr.as_deref().is_some_and(is_success),
        Expr::Call(call) => {
            called(&call.func).is_some_and(|name| name == "Ok") && call.args.first().is_some_and(is_empty)
        }
        _ => false,
    }
}

fn only_logs(statements: &[Stmt]) -> bool {
    statements.iter().all(|statement| match statement {
        Stmt::Macro(statement) => is_log(&statement.mac),
        Stmt::Expr(Expr::Macro(expression), _) => is_log(&expression.mac),
        Stmt::Expr(Expr::Tuple(unit), _) => unit.elems.is_empty(),
        Stmt::Expr(Expr::MethodCall(call), _) => is_log_call(&call.method),
        Stmt::Expr(Expr::Call(call), _) => called(&call.func).is_some_and(is_log_call),
        _ => false,
    })
}

pub(super) fn is_log(call: &syn::Macro) -> bool {
    call.path.segments.last().is_some_and(|last| calls::LOG_MACROS.iter().any(|log| last.ident == log))
}

/// `logger.warn(..)`, `log_failure(..)`, `failures.increment(1)`
fn is_log_call(name: &Ident) -> bool {
    let name = name.to_string();
    let verb = name.split('_').next().unwrap_or(&name);
    calls::LOG_VERBS.contains(&verb)
}
