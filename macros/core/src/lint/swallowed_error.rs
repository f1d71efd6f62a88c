//! `swallowed-error`

mod forms;

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{
    Arm, Expr, ExprAssign, ExprAsync, ExprCall, ExprClosure, ExprIf, ExprMatch, ExprMethodCall, Ident, Item,
    Local, Pat, Stmt,
};

use self::forms::{
    Fallback, Handling, fallback, handling, is_drop, is_empty, is_error_pattern, is_log, is_success, is_work,
    tested_for_error,
};
use super::words::calls;
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

/// What stands in every body that this finds something in, apart from names with a leading underscore.
const WORDS: [&str; 10] = [
    "ok",
    "or",
    "or_else",
    "Err",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "drop",
    "is_err",
    "is_ok",
];

fn check(subject: &Subject<'_>, report: &mut Report) {
    let is_sign = |word: &str| word.starts_with('_') || WORDS.contains(&word);
    let Some(statements) = body::statements(subject, is_sign) else { return };
    let body = subject.operation.function.body.stream();
    let mut visitor = Visitor { body, found: Vec::new() };
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
    body: TokenStream,
    found: Vec<(Place, &'static str, &'static str)>,
}

const PASS_ON: &str = "pass the error on with `?`, or return it";

impl<'ast> Visit<'ast> for Visitor {
    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init {
            match untyped(&local.pat) {
                Pat::Wild(_) => self.discarded(&Place::of(&local.pat), &init.expr),
                Pat::Ident(name) => self.unread(&name.ident, &init.expr),
                _ => {}
            }
        }
        visit::visit_local(self, local);
    }

    /// `_ = send().await;`
    fn visit_expr_assign(&mut self, assign: &'ast ExprAssign) {
        if matches!(&*assign.left, Expr::Infer(_)) {
            self.discarded(&Place::of(&assign.left), &assign.right);
        }
        visit::visit_expr_assign(self, assign);
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

    /// `drop(send().await)`
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let (true, Some(dropped)) = (is_drop(&call.func), call.args.first())
            && is_work(dropped)
        {
            let message = "`drop(..)` throws the result of the call away";
            self.found.push((Place::at(Place::of(&call.func).last_span()), message, PASS_ON));
        }
        visit::visit_expr_call(self, call);
    }

    /// `send().await.unwrap_or_default()`
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let place = Place::of(&call.method);
        match fallback(call) {
            Some(Fallback::Default) => {
                let message = "`unwrap_or_default` puts a default in the place of the error";
                self.found.push((place, message, PASS_ON));
            }
            Some(Fallback::Nothing) => {
                self.found.push((place, "success stands in the place of the error of the call", PASS_ON));
            }
            Some(Fallback::Logged) => {
                self.found.push((place, "the error is only logged", RETURN_IT));
            }
            None => {}
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_if(&mut self, expression: &'ast ExprIf) {
        let handled = &expression.then_branch.stmts;
        if expression.else_branch.is_none()
            && let Some(handling) = handling(handled)
        {
            if let Expr::Let(condition) = &*expression.cond
                && is_error_pattern(&condition.pat)
            {
                self.error(&condition.pat, handling);
            } else if let Some(method) = tested_for_error(&expression.cond) {
                self.error(method, handling);
            }
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

const RETURN_IT: &str = "return it after logging it";

impl Visitor {
    /// Without `await` it is most likely a value that is not needed, as of a channel or a guard.
    fn discarded(&mut self, place: &Place, value: &Expr) {
        let result = match value {
            Expr::MethodCall(call) if call.method == "ok" && call.args.is_empty() => &*call.receiver,
            value => value,
        };
        if matches!(result, Expr::Await(_)) {
            self.found.push((place.clone(), "`let _ =` throws the result of the call away", PASS_ON));
        }
    }

    /// `let _sent = send().await;`, and `_sent` stands nowhere else.
    fn unread(&mut self, name: &Ident, value: &Expr) {
        let text = name.to_string();
        let is_guard = text.split('_').any(|word| calls::GUARDS.contains(&word));
        if text.starts_with('_') && !is_guard && is_work(value) && self.mentions(&text) < 2 {
            self.found.push((Place::of(name), "the result of the call is never looked at", PASS_ON));
        }
    }

    /// How often the name stands in the body, texts included: a format string can hold it.
    fn mentions(&self, name: &str) -> usize {
        let body = self.body.to_string();
        body.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| *word == name).count()
    }

    fn arm(&mut self, arm: &Arm) {
        if !is_error_pattern(&arm.pat) {
            return;
        }
        let handling = match &*arm.body {
            Expr::Block(block) => handling(&block.block.stmts),
            Expr::Macro(log) => is_log(&log.mac).then_some(Handling::Logged),
            body => (is_empty(body) || is_success(body)).then_some(Handling::Ignored),
        };
        if let Some(handling) = handling {
            self.error(&arm.pat, handling);
        }
    }

    /// An error that a pattern or a test catches.
    fn error(&mut self, caught: &impl quote::ToTokens, handling: Handling) {
        let place = Place::at(Place::of(caught).span());
        self.found.push(match handling {
            Handling::Ignored => (place, "the error is thrown away", PASS_ON),
            Handling::Logged => (place, "the error is only logged", RETURN_IT),
        });
    }
}

/// `_: Result<(), Error>` → `_`
fn untyped(pattern: &Pat) -> &Pat {
    match pattern {
        Pat::Type(typed) => &typed.pat,
        pattern => pattern,
    }
}
