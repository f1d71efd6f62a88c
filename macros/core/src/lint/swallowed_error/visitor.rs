//! Looks for errors that are thrown away.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{
    Arm, Expr, ExprAssign, ExprAsync, ExprCall, ExprClosure, ExprForLoop, ExprIf, ExprLoop, ExprMatch,
    ExprMethodCall, ExprWhile, Ident, Item, Local, Pat, Stmt,
};

use super::super::words::calls;
use super::End;
use super::awaited::{is_harmless, is_work, is_working_call, result_of};
use super::forms::{self, Fallback, fallback, is_drop, tested_for_error};
use super::handling::{Handling, exits, mentions, of_expression, of_statements};
use crate::diagnostic::Place;

/// A loop around something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repeated {
    /// Until it is left.
    Forever,
    /// A number of times, or until it is left: what is tried again, most likely.
    Tried,
    /// For each of something.
    Each,
}

pub(super) struct Visitor {
    body: TokenStream,
    end: End,
    loops: Vec<Repeated>,
    /// Variables that hold the result of a call, and whether it may have left something undone.
    results: BTreeMap<String, bool>,
    pub(super) found: Vec<(Place, &'static str, &'static str)>,
}

const PASS_ON: &str = "pass the error on with `?`, or return it";
const RETURN_IT: &str = "return it after logging it";

impl<'ast> Visit<'ast> for Visitor {
    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init {
            match forms::untyped(&local.pat) {
                Pat::Wild(_) => self.discarded(&Place::of(&local.pat), &init.expr),
                Pat::Ident(name) => {
                    if let awaited @ Expr::Await(_) = result_of(&init.expr) {
                        let is_work = is_work(awaited) && !is_guard(&name.ident);
                        self.results.insert(name.ident.to_string(), is_work);
                    }
                    self.unread(&name.ident, &init.expr);
                }
                pattern => {
                    if let (true, Some((_, diverge))) = (forms::is_variant(pattern, "Ok"), &init.diverge)
                        && self.is_awaited(&init.expr)
                        && self.is_lost(&init.expr, local)
                        && let Some(handling) = of_expression(diverge, None)
                    {
                        self.caught(pattern, handling, false);
                    }
                }
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
            && !is_harmless(&call.receiver)
        {
            self.found.push((Place::of(&call.method), "`.ok();` throws the error of the call away", PASS_ON));
        }
        visit::visit_stmt(self, statement);
    }

    /// `drop(send().await)`
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let (true, Some(dropped)) = (is_drop(&call.func), call.args.first())
            && (is_work(result_of(dropped)) || self.is_unread_result(dropped))
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
        self.branches(expression);
        visit::visit_expr_if(self, expression);
    }

    fn visit_expr_match(&mut self, expression: &'ast ExprMatch) {
        if self.is_lost(&expression.expr, expression) {
            expression.arms.iter().for_each(|arm| self.arm(arm, expression));
        }
        visit::visit_expr_match(self, expression);
    }

    fn visit_expr_loop(&mut self, repeated: &'ast ExprLoop) {
        self.loops.push(Repeated::Forever);
        visit::visit_expr_loop(self, repeated);
        self.loops.pop();
    }

    fn visit_expr_for_loop(&mut self, repeated: &'ast ExprForLoop) {
        self.loops.push(if exits(&repeated.body) { Repeated::Tried } else { Repeated::Each });
        visit::visit_expr_for_loop(self, repeated);
        self.loops.pop();
    }

    fn visit_expr_while(&mut self, repeated: &'ast ExprWhile) {
        self.loops.push(if exits(&repeated.body) { Repeated::Tried } else { Repeated::Each });
        visit::visit_expr_while(self, repeated);
        self.loops.pop();
    }

    // What runs elsewhere or later does not decide what is recorded.
    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
    fn visit_item(&mut self, _: &'ast Item) {}
}

impl Visitor {
    pub(super) fn new(body: TokenStream, end: End) -> Self {
        Self { body, end, loops: Vec::new(), results: BTreeMap::new(), found: Vec::new() }
    }

    fn mentions(&self, name: &str) -> usize {
        mentions(self.body.clone(), name)
    }

    /// Without `await` it is most likely a value that is not needed, as of a channel or a guard.
    fn discarded(&mut self, place: &Place, value: &Expr) {
        let result = match value {
            Expr::MethodCall(call) if call.method == "ok" && call.args.is_empty() => &*call.receiver,
            value => value,
        };
        if is_work(result_of(result)) || self.is_unread_result(result) {
            self.found.push((place.clone(), "`let _ =` throws the result of the call away", PASS_ON));
        }
    }

    /// `let _sent = send().await;`, and `_sent` stands nowhere else.
    fn unread(&mut self, name: &Ident, value: &Expr) {
        let text = name.to_string();
        if text.starts_with('_') && !is_guard(name) && is_work(result_of(value)) && self.mentions(&text) < 2 {
            self.found.push((Place::of(name), "the result of the call is never looked at", PASS_ON));
        }
    }

    /// A variable with the result of a call, which stands nowhere but there and here.
    fn is_unread_result(&self, value: &Expr) -> bool {
        let Some(name) = variable(value) else { return false };
        self.results.get(&name).is_some_and(|is_work| *is_work) && self.mentions(&name) == 2
    }

    /// Whether something awaited gave the value.
    fn is_awaited(&self, value: &Expr) -> bool {
        let known = variable(value).is_some_and(|name| self.results.contains_key(&name));
        known || matches!(result_of(value), Expr::Await(_))
    }

    /// Whether the error in `value` is lost unless `around`, which looks at it, does something about it.
    fn is_lost(&self, value: &Expr, around: &impl ToTokens) -> bool {
        match result_of(value) {
            awaited @ Expr::Await(_) => is_work(awaited),
            Expr::Macro(_) => true,
            Expr::Paren(inner) => self.is_lost(&inner.expr, around),
            Expr::Reference(inner) => self.is_lost(&inner.expr, around),
            Expr::MethodCall(call) if ["as_ref", "as_mut"].iter().any(|name| call.method == name) => {
                self.is_lost(&call.receiver, around)
            }
            Expr::Path(_) => variable(value).is_some_and(|name| {
                // A result that is looked at again is not lost yet.
                let inside = mentions(around.to_token_stream(), &name);
                let elsewhere = self.mentions(&name).saturating_sub(inside);
                self.results.get(&name).is_none_or(|is_work| *is_work) && elsewhere == 1
            }),
            call => is_working_call(call).unwrap_or(false),
        }
    }

    fn branches(&mut self, expression: &ExprIf) {
        let others = expression.else_branch.as_ref().map(|(_, other)| &**other);
        let leaves = others.is_some_and(exits);
        if let Expr::Let(condition) = &*expression.cond {
            let pattern = &*condition.pat;
            if forms::is_error_pattern(pattern) && self.is_lost(&condition.expr, expression) {
                if let Some(handling) = of_statements(&expression.then_branch.stmts, Some(pattern)) {
                    self.caught(pattern, handling, leaves);
                }
            } else if let (true, Some(other)) = (forms::is_variant(pattern, "Ok"), others)
                && self.is_awaited(&condition.expr)
                && self.is_lost(&condition.expr, expression)
                && let Some(handling) = of_expression(other, None)
            {
                self.caught(pattern, handling, exits(&expression.then_branch));
            }
        } else if let Some((tested, method)) = tested_for_error(&expression.cond)
            && self.is_awaited(tested)
            && self.is_lost(tested, expression)
            && let Some(handling) = of_statements(&expression.then_branch.stmts, None)
        {
            self.caught(method, handling, leaves);
        }
    }

    fn arm(&mut self, arm: &Arm, expression: &ExprMatch) {
        let of = |name| expression.arms.iter().any(|other| forms::is_variant(&other.pat, name));
        let catches_rest = matches!(arm.pat, Pat::Wild(_)) && of("Ok") && !of("Err");
        let catches =
            forms::is_error_pattern(&arm.pat) || (catches_rest && self.is_awaited(&expression.expr));
        if !catches {
            return;
        }
        if let Some(handling) = of_expression(&arm.body, Some(&arm.pat)) {
            let mut others = expression.arms.iter().filter(|other| !std::ptr::eq(*other, arm));
            self.caught(&arm.pat, handling, others.any(|other| exits(&other.body)));
        }
    }

    /// An error that a pattern or a test catches; `leaves` if what happens without one leaves the block.
    fn caught(&mut self, caught: &impl ToTokens, handling: Handling, leaves: bool) {
        let tried = leaves || self.loops.last() == Some(&Repeated::Tried);
        let again = self.loops.last() == Some(&Repeated::Forever)
            || self.end == End::Error
            || (tried && self.end == End::Other);
        // What goes on may try again, or end with an error all the same.
        if handling.goes_on && again {
            return;
        }
        let place = Place::at(Place::of(caught).span());
        self.found.push(if handling.logged {
            (place, "the error is only logged", RETURN_IT)
        } else {
            (place, "the error is thrown away", PASS_ON)
        });
    }
}

fn is_guard(name: &Ident) -> bool {
    name.to_string().split('_').any(|word| calls::GUARDS.contains(&word))
}

fn variable(value: &Expr) -> Option<String> {
    let Expr::Path(path) = value else { return None };
    path.path.get_ident().map(ToString::to_string)
}
