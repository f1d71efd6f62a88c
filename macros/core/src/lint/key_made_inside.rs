//! `key-made-inside`

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, ExprAssign, ExprCall, ExprMethodCall, FieldValue, Item, Lit, Local, Member, Pat, Token};

use super::words::{self, calls};
use super::{Lint, Subject, body};
use crate::diagnostic::{Level, Place};
use crate::lint::calls::calls_one_of;
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "key-made-inside",
    Level::Warning,
    "the body generates an id and uses it as the idempotency key of another service",
    include_str!("explain/key-made-inside.md"),
    check,
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    let names: Vec<&str> = calls::GENERATORS
        .iter()
        .map(|name| name.rsplit("::").next().unwrap_or(name))
        .chain(["Ulid", "Uuid"])
        .collect();
    let Some(statements) = body::statements(subject, |word| names.contains(&word)) else { return };
    let mut visitor = Visitor { generated: BTreeSet::new(), found: Vec::new() };
    for statement in &statements {
        visitor.visit_stmt(statement);
    }
    report.at_item();
    for place in visitor.found {
        report
            .lint(&LINT, &place, "the other service gets a new idempotency key with every attempt")
            .help(format!("derive it from an argument, for example from `{}`", subject.better_name()))
            .note("a second attempt after a crash would repeat the effect there");
    }
}

struct Visitor {
    /// Variables that hold a generated id.
    generated: BTreeSet<String>,
    found: Vec<Place>,
}

impl Visitor {
    /// Whether the value is generated here, or holds a variable that was.
    fn is_generated(&self, value: &impl ToTokens) -> bool {
        let text = text(value);
        calls_one_of(&text, calls::GENERATORS)
            || self.generated.iter().any(|name| calls_one_of(&text, &[name.as_str()]))
    }

    /// `call(no, &idempotency_key)`, where that variable was drawn: its name says what it is for.
    fn passed(&mut self, arguments: &Punctuated<Expr, Token![,]>) {
        for argument in arguments {
            if let Some(name) = variable(argument)
                && is_external_key(&name)
                && self.generated.contains(&name)
            {
                self.found.push(Place::at(Place::of(argument).last_span()));
            }
        }
    }

    fn use_as_key(&mut self, name: &str, value: &impl ToTokens) {
        if is_external_key(name) && self.is_generated(value) {
            self.found.push(Place::at(Place::of(value).span()));
        }
    }
}

impl<'ast> Visit<'ast> for Visitor {
    fn visit_local(&mut self, local: &'ast Local) {
        let pattern = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pattern => pattern,
        };
        if let (Pat::Ident(name), Some(init)) = (pattern, &local.init)
            && calls_one_of(&text(&init.expr), calls::GENERATORS)
        {
            self.generated.insert(name.ident.to_string());
        }
        visit::visit_local(self, local);
    }

    /// `request.idempotency_key(id)`, `request.header("Idempotency-Key", id)`
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let method = call.method.to_string();
        let method = method.trim_start_matches("set_");
        if let Some(value) = call.args.first() {
            self.use_as_key(method, value);
        }
        let before = self.found.len();
        named_value(&call.args, self);
        if !is_external_key(method) && self.found.len() == before {
            self.passed(&call.args);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        let before = self.found.len();
        named_value(&call.args, self);
        if self.found.len() == before {
            self.passed(&call.args);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_field_value(&mut self, field: &'ast FieldValue) {
        if let Member::Named(name) = &field.member {
            self.use_as_key(&name.to_string(), &field.expr);
        }
        visit::visit_field_value(self, field);
    }

    fn visit_expr_assign(&mut self, assign: &'ast ExprAssign) {
        if let Expr::Field(field) = &*assign.left
            && let Member::Named(name) = &field.member
        {
            self.use_as_key(&name.to_string(), &assign.right);
        }
        visit::visit_expr_assign(self, assign);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// `("Idempotency-Key", value)`
fn named_value(arguments: &Punctuated<Expr, Token![,]>, visitor: &mut Visitor) {
    let mut arguments = arguments.iter();
    if let (Some(Expr::Lit(literal)), Some(value)) = (arguments.next(), arguments.next())
        && let Lit::Str(name) = &literal.lit
    {
        visitor.use_as_key(&name.value(), value);
    }
}

/// `id`, `&id`, `id.clone()`
fn variable(value: &Expr) -> Option<String> {
    match value {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Reference(inner) => variable(&inner.expr),
        Expr::MethodCall(call) if ["as_str", "clone", "to_string"].iter().any(|name| call.method == name) => {
            variable(&call.receiver)
        }
        _ => None,
    }
}

fn is_external_key(name: &str) -> bool {
    calls::EXTERNAL_KEYS.contains(&words::normal(name).as_str())
}

fn text(value: &impl ToTokens) -> String {
    value.to_token_stream().to_string()
}
