//! `swallowed-error`

use syn::visit::{self, Visit};
use syn::{Arm, Expr, ExprAsync, ExprClosure, ExprIf, ExprMatch, Item, Local, Pat, Stmt};

use super::{Lint, Subject, body};
use crate::diagnostic::{Level, Place};
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "swallowed-error",
    Level::Warning,
    "the body throws an error away and can still return `Ok`",
    include_str!("explain/swallowed-error.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    let Some(statements) = body::statements(subject, &["_", "ok", "Err"]) else { return };
    let mut visitor = Visitor { found: Vec::new() };
    for statement in &statements {
        visitor.visit_stmt(statement);
    }
    report.at_item();
    for (place, message, help) in visitor.found {
        report
            .lint(&LINT, &place, message)
            .help(help)
            .note("the record would say completed for work that was not done, and no retry would do it");
    }
}

struct Visitor {
    found: Vec<(Place, &'static str, &'static str)>,
}

const PASS_ON: &str = "pass the error on with `?`, or return it";

impl<'ast> Visit<'ast> for Visitor {
    fn visit_local(&mut self, local: &'ast Local) {
        // Without `await` it is most likely a value that is not needed, as of a channel or a guard.
        if matches!(local.pat, Pat::Wild(_))
            && let Some(init) = &local.init
            && matches!(&*init.expr, Expr::Await(_))
        {
            self.found.push((Place::of(&local.pat), "`let _ =` throws the result of the call away", PASS_ON));
        }
        visit::visit_local(self, local);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(Expr::MethodCall(call), Some(_)) = statement
            && call.method == "ok"
            && call.args.is_empty()
        {
            self.found.push((Place::of(&call.method), "`.ok();` throws the error of the call away", PASS_ON));
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr_if(&mut self, expression: &'ast ExprIf) {
        if let Expr::Let(condition) = &*expression.cond
            && is_error_pattern(&condition.pat)
            && expression.else_branch.is_none()
            && only_logs(&expression.then_branch.stmts)
        {
            self.error(&condition.pat, expression.then_branch.stmts.is_empty());
        }
        visit::visit_expr_if(self, expression);
    }

    fn visit_expr_match(&mut self, expression: &'ast ExprMatch) {
        expression.arms.iter().for_each(|arm| self.arm(arm));
        visit::visit_expr_match(self, expression);
    }

    // What runs elsewhere or later does not decide what is recorded.
    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
    fn visit_item(&mut self, _: &'ast Item) {}
}

impl Visitor {
    fn arm(&mut self, arm: &Arm) {
        if !is_error_pattern(&arm.pat) {
            return;
        }
        let swallowed = match &*arm.body {
            Expr::Block(block) => only_logs(&block.block.stmts),
            Expr::Tuple(unit) => unit.elems.is_empty(),
            Expr::Macro(log) => is_log(&log.mac),
            _ => false,
        };
        if swallowed {
            self.error(&arm.pat, is_empty(&arm.body));
        }
    }

    /// An error that a pattern catches.
    fn error(&mut self, pattern: &Pat, nothing_is_done: bool) {
        let place = Place::at(Place::of(pattern).span());
        if nothing_is_done {
            self.found.push((place, "the error is thrown away", PASS_ON));
        } else {
            self.found.push((place, "the error is only logged", "return it after logging it"));
        }
    }
}

fn is_empty(body: &Expr) -> bool {
    match body {
        Expr::Block(block) => block.block.stmts.is_empty(),
        Expr::Tuple(unit) => unit.elems.is_empty(),
        _ => false,
    }
}

/// `Err(..)` that catches every error: a variant by name is a decision.
fn is_error_pattern(pattern: &Pat) -> bool {
    let Pat::TupleStruct(pattern) = pattern else { return false };
    let catches_all =
        pattern.elems.iter().all(|inner| matches!(inner, Pat::Ident(_) | Pat::Wild(_) | Pat::Rest(_)));
    catches_all && pattern.path.segments.last().is_some_and(|last| last.ident == "Err")
}

fn only_logs(statements: &[Stmt]) -> bool {
    statements.iter().all(|statement| match statement {
        Stmt::Macro(statement) => is_log(&statement.mac),
        Stmt::Expr(Expr::Macro(expression), _) => is_log(&expression.mac),
        Stmt::Expr(Expr::Tuple(unit), _) => unit.elems.is_empty(),
        _ => false,
    })
}

fn is_log(call: &syn::Macro) -> bool {
    let logs = [
        "trace", "debug", "info", "warn", "error", "event", "log", "println", "eprintln", "print", "eprint",
        "dbg",
    ];
    call.path.segments.last().is_some_and(|last| logs.iter().any(|log| last.ident == log))
}
