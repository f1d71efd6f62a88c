//! Which calls leave something undone if they fail.

use syn::{Expr, ExprClosure, ExprMethodCall, Ident, Member};

use super::super::words::calls;
use super::forms::logs;

/// Whether the expression awaits a call that may have done something: a failed read leaves nothing undone.
pub(super) fn is_work(expression: &Expr) -> bool {
    let Expr::Await(awaited) = expression else { return false };
    is_working_call(&awaited.base).unwrap_or(true)
}

/// Whether a call may do something; none if it is no call.
pub(super) fn is_working_call(expression: &Expr) -> Option<bool> {
    match expression {
        Expr::Call(call) => Some(called(&call.func).is_none_or(|name| !is_read(&name.to_string()))),
        Expr::MethodCall(call) => Some(is_writing_method(call) && !is_channel_send(call)),
        _ => None,
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

/// `tx.send(1)`: it fails only when nobody listens any more.
fn is_channel_send(call: &ExprMethodCall) -> bool {
    let sends = calls::CHANNEL_SENDS.iter().any(|send| call.method == send);
    let owner = match &*call.receiver {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Field(field) => match &field.member {
            Member::Named(name) => Some(name.to_string()),
            Member::Unnamed(_) => None,
        },
        _ => None,
    };
    let last = owner.as_deref().and_then(|name| name.rsplit('_').next());
    let is_channel = last.is_some_and(|word| calls::CHANNELS.contains(&word));
    sends && (is_channel || owner.is_some_and(|name| name == "sender"))
}

/// `send().await.inspect_err(|e| warn!(..)).map_err(Error::from)` → `send().await`: the error is no less thrown away
/// behind it for having been logged or wrapped. A closure that does more with it handles it.
pub(super) fn result_of(expression: &Expr) -> &Expr {
    let Expr::MethodCall(call) = expression else { return expression };
    let name = call.method.to_string();
    let passes = match (name.as_str(), call.args.first()) {
        ("inspect_err" | "map_err", Some(Expr::Closure(closure))) => only_logs_or_wraps(closure),
        ("inspect_err" | "map_err", Some(argument)) => matches!(argument, Expr::Path(_)),
        (name, _) => calls::WRAPPERS.contains(&name),
    };
    if passes { result_of(&call.receiver) } else { expression }
}

/// `|e| warn!("{e}")`, `|e| Error::Send(e)`
fn only_logs_or_wraps(closure: &ExprClosure) -> bool {
    match &*closure.body {
        Expr::Block(block) => super::handling::only_logs(&block.block.stmts),
        Expr::Call(call) if called(&call.func).is_some_and(starts_upper) => true,
        body => logs(body),
    }
}

pub(super) fn starts_upper(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

pub(super) fn called(function: &Expr) -> Option<&Ident> {
    let Expr::Path(path) = function else { return None };
    path.path.segments.last().map(|last| &last.ident)
}

/// `tx.send(1)`, and what only reads or waits.
pub(super) fn is_harmless(value: &Expr) -> bool {
    match result_of(value) {
        awaited @ Expr::Await(_) => !is_work(awaited),
        Expr::MethodCall(call) => is_channel_send(call),
        _ => false,
    }
}
