//! What throws an error away at the end of a call, and what only looks like it.

use syn::{Expr, ExprMethodCall, Ident, Pat, Stmt, UnOp};

use super::awaited::{called, is_work, result_of};
use super::handling::{is_empty, is_success, only_logs};

/// What stands in the place of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fallback {
    Default,
    Nothing,
    Logged,
}

/// What `call` puts in the place of the error of something awaited.
pub(super) fn fallback(call: &ExprMethodCall) -> Option<Fallback> {
    if !is_work(result_of(&call.receiver)) {
        return None;
    }
    match (call.method.to_string().as_str(), call.args.first()) {
        ("unwrap_or_default", None) => Some(Fallback::Default),
        ("unwrap_or" | "or" | "map_or", Some(value)) => {
            (is_empty(value) || is_success(value)).then_some(Fallback::Nothing)
        }
        ("unwrap_or_else" | "or_else" | "map_or_else", Some(Expr::Closure(closure))) => {
            in_place(&closure.body)
        }
        _ => None,
    }
}

/// A value that is computed is a decision; nothing, or a log with any value, is not.
fn in_place(body: &Expr) -> Option<Fallback> {
    let statements = match body {
        body if is_empty(body) || is_success(body) => return Some(Fallback::Nothing),
        Expr::Macro(_) => return logs(body).then_some(Fallback::Logged),
        Expr::Block(block) => &block.block.stmts,
        _ => return None,
    };
    let (last, before) = statements.split_last()?;
    let ends_with_value = matches!(last, Stmt::Expr(value, None) if !matches!(value, Expr::Macro(_)));
    let logs = if ends_with_value { before } else { statements.as_slice() };
    (!logs.is_empty() && only_logs(logs)).then_some(Fallback::Logged)
}

/// Whether the expression does nothing but log.
pub(super) fn logs(body: &Expr) -> bool {
    only_logs(&[Stmt::Expr(body.clone(), None)])
}

/// `drop`, `std::mem::drop`
pub(super) fn is_drop(function: &Expr) -> bool {
    called(function).is_some_and(|name| name == "drop")
}

/// What is tested, and the method, in `send().await.is_err()`, or in `!send().await.is_ok()`.
pub(super) fn tested_for_error(condition: &Expr) -> Option<(&Expr, &Ident)> {
    let (call, wanted) = match condition {
        Expr::MethodCall(call) => (call, "is_err"),
        Expr::Unary(not) if matches!(not.op, UnOp::Not(_)) => match &*not.expr {
            Expr::MethodCall(call) => (call, "is_ok"),
            _ => return None,
        },
        _ => return None,
    };
    (call.method == wanted).then_some((&call.receiver, &call.method))
}

/// `Err(..)` that catches every error: a variant by name is a decision.
pub(super) fn is_error_pattern(pattern: &Pat) -> bool {
    let Pat::TupleStruct(inner) = pattern else { return false };
    let catches_all =
        inner.elems.iter().all(|inner| matches!(inner, Pat::Ident(_) | Pat::Wild(_) | Pat::Rest(_)));
    catches_all && is_variant(pattern, "Err")
}

pub(super) fn is_variant(pattern: &Pat, name: &str) -> bool {
    let Pat::TupleStruct(pattern) = pattern else { return false };
    pattern.path.segments.last().is_some_and(|last| last.ident == name)
}

/// `_: Result<(), Error>` → `_`
pub(super) fn untyped(pattern: &Pat) -> &Pat {
    match pattern {
        Pat::Type(typed) => &typed.pat,
        pattern => pattern,
    }
}
