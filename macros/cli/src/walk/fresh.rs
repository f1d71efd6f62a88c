//! Which expressions make a new value every time they run.

use std::collections::HashMap;
use std::rc::Rc;

use idempotency_macros_core::lint::makes_new_value;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprStruct, Member, Pat, Token};

use crate::calls::{Fresh, FreshArgument};
use crate::source::{Location, Source};

/// The variables of one function that hold something made just now.
#[derive(Debug, Default)]
pub(super) struct Locals(HashMap<String, Fresh>);

impl Locals {
    /// `let pattern = value;`
    pub(super) fn bind(&mut self, pattern: &Pat, value: Option<&Expr>, source: &Rc<Source>) {
        let pattern = match pattern {
            Pat::Type(typed) => &*typed.pat,
            other => other,
        };
        let Pat::Ident(pattern) = pattern else { return };
        let name = pattern.ident.to_string();
        match value.and_then(|value| self.fresh(value, source)) {
            Some(fresh) => self.0.insert(name, fresh),
            None => self.0.remove(&name),
        };
    }

    /// What is new in these arguments.
    pub(super) fn arguments<'a>(
        &self,
        arguments: impl IntoIterator<Item = &'a Expr>,
        source: &Rc<Source>,
    ) -> Vec<FreshArgument> {
        let mut found = Vec::new();
        for (position, argument) in arguments.into_iter().enumerate() {
            if let Some(fresh) = self.fresh(argument, source) {
                found.push(FreshArgument { position, field: None, fresh });
            } else if let Expr::Struct(literal) = bare(argument) {
                let fields = self.fields(literal, source);
                found.extend(fields.map(|(name, fresh)| FreshArgument {
                    position,
                    field: Some(name),
                    fresh,
                }));
            }
        }
        found
    }

    fn fields<'a>(
        &'a self,
        literal: &'a ExprStruct,
        source: &'a Rc<Source>,
    ) -> impl Iterator<Item = (String, Fresh)> + 'a {
        literal.fields.iter().filter_map(|field| {
            let name = match &field.member {
                Member::Named(name) => name.to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            };
            self.fresh(&field.expr, source).map(|fresh| (name, fresh))
        })
    }

    fn fresh(&self, expression: &Expr, source: &Rc<Source>) -> Option<Fresh> {
        let expression = bare(expression);
        match expression {
            Expr::Path(path) => path.path.get_ident().and_then(|name| self.0.get(&name.to_string())).cloned(),
            Expr::Call(call) => {
                let Expr::Path(function) = &*call.func else { return None };
                if makes_new_value(&text(&function.path)) {
                    return found(expression, source);
                }
                // `OrderId(…)` and `OrderId::from(…)` only wrap; any other function may look something up.
                let last = function.path.segments.last()?.ident.to_string();
                let wraps = last.starts_with(char::is_uppercase) || matches!(last.as_str(), "from" | "new");
                call.args.iter().filter(|_| wraps).find_map(|argument| self.fresh(argument, source))
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                // `order.placed.timestamp()` only converts.
                let converts = name.contains("timestamp");
                if call.args.is_empty() && !converts && makes_new_value(&name) {
                    return found(expression, source);
                }
                self.fresh(&call.receiver, source)
            }
            Expr::Macro(call) if makes_new_value(&text(&call.mac.path)) => found(expression, source),
            Expr::Macro(call) if call.mac.path.is_ident("format") => {
                let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
                let arguments = call.mac.parse_body_with(parser).ok()?;
                arguments.iter().find_map(|argument| self.fresh(argument, source))
            }
            _ => None,
        }
    }
}

/// Without what leaves a value as it is.
fn bare(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        Expr::Reference(inner) => bare(&inner.expr),
        Expr::Unary(inner) => bare(&inner.expr),
        Expr::Cast(inner) => bare(&inner.expr),
        Expr::Try(inner) => bare(&inner.expr),
        Expr::Await(inner) => bare(&inner.base),
        other => other,
    }
}

fn text(path: &syn::Path) -> String {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().join("::")
}

fn found(expression: &Expr, source: &Rc<Source>) -> Option<Fresh> {
    let location = Location::of_tokens(source, &expression.to_token_stream())?;
    let text = source.text.get(location.range.clone())?;
    Some(Fresh { shown: text.split_whitespace().collect::<Vec<_>>().join(" "), range: location.range })
}
