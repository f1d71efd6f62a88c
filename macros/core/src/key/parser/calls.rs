//! `hash(part)` and the other functions of the language.

use super::Parser;
use crate::key::{Function, Part, PartKind, Token, TokenKind, joined, rust};
use crate::suggest;

impl Parser<'_> {
    /// `name(part)`
    pub(super) fn call(&mut self, name: &str, depth: usize) -> Option<Part> {
        let start = self.position;
        let place = self.next()?.place.clone();
        let Some(function) = Function::ALL.into_iter().find(|function| function.name() == name) else {
            if LATER.contains(&name) {
                let message = format!("`{name}(..)` is not yet supported");
                let known = suggest::list(Function::ALL.map(Function::name));
                self.report
                    .error("not-yet-supported", &place, message)
                    .note(format!("functions are {known}"));
            } else if let Some(meant) =
                known_as(name).or_else(|| suggest::closest(name, Function::ALL.map(Function::name)))
            {
                let known = suggest::list(Function::ALL.map(Function::name));
                self.report
                    .error("unknown-function", &place, format!("unknown function `{name}` in `key`"))
                    .help(format!("did you mean `{meant}`?"))
                    .note(format!("functions are {known}"));
            } else {
                return rust::call(self.tokens, start, self.rule(), self.report);
            }
            return None;
        };
        let open = self.next()?;
        if depth == DEEPEST {
            self.error(&place, "functions are nested too deep");
            return None;
        }
        if self.peek_kind() == Some(&TokenKind::Close(')')) {
            self.error(&place, format!("`{name}` takes exactly one part"))
                .help(format!("`{name}(order_no)`"));
            return None;
        }
        if self.peek().is_none() {
            self.error(&open.place, "`(` is not closed");
            return None;
        }
        let inner = self.part_at_depth(depth + 1)?;
        if matches!(inner.kind, PartKind::Operation) {
            self.error(&inner.place, format!("`op` cannot stand inside `{name}(..)`"))
                .help("`op` as a part of its own")
                .note("the operation is always stored in clear, before all parts");
            return None;
        }
        self.close_call(name, start, open, &inner)?;
        let place = place.to(&self.previous());
        self.after_call(name, &inner)?;
        Some(Part { kind: PartKind::Call(function, Box::new(inner)), place })
    }

    fn close_call(&mut self, name: &str, start: usize, open: &Token, inner: &Part) -> Option<()> {
        let Some(next) = self.next() else {
            self.error(&open.place, "`(` is not closed").help(format!("`{name}({inner})`"));
            return None;
        };
        match next.kind {
            TokenKind::Close(')') => return Some(()),
            TokenKind::Plus | TokenKind::Comma => {
                let all = joined::list(self.tokens.get(start + 1..).unwrap_or_default());
                let calls = all.map(|all| {
                    all.split(" + ").map(|term| format!("{name}({term})")).collect::<Vec<_>>().join(" + ")
                });
                let calls = calls.unwrap_or_else(|| format!("{name}({inner}) + {name}(..)"));
                self.error(&next.place, format!("`{name}` takes exactly one part"))
                    .help(format!("one call each: `{calls}`"));
            }
            _ => {
                self.error(&next.place, format!("expected `)`, found `{}`", next.kind));
            }
        }
        None
    }

    fn after_call(&mut self, name: &str, inner: &Part) -> Option<()> {
        let Some(next) = self.peek() else { return Some(()) };
        let step = match next.kind {
            TokenKind::Question => "?",
            TokenKind::Dot => ".field",
            TokenKind::Open('[') => "['name']",
            _ => return Some(()),
        };
        self.error(&next.place, format!("`{}` cannot follow `{name}(..)`", next.kind))
            .help(format!("inside the call: `{name}({inner}{step})`"));
        None
    }
}

/// Whether this or a later version knows the function.
pub(super) fn is_function(name: &str) -> bool {
    LATER.contains(&name) || Function::ALL.into_iter().any(|function| function.name() == name)
}

/// What a function is called here that is known by another name elsewhere.
fn known_as(name: &str) -> Option<&'static str> {
    let function = match name {
        "blake3" | "checksum" | "digest" | "md5" | "sha1" | "sha2" | "sha256" | "sha512" => Function::Hash,
        "casefold" | "lowercase" | "to_lower" | "to_lowercase" | "to_upper" | "to_uppercase" | "upper"
        | "uppercase" => Function::Lower,
        "strip" | "trimmed" => Function::Trim,
        "day" | "to_date" => Function::Date,
        _ => return None,
    };
    Some(function.name())
}

/// Functions of the language that this version refuses by name.
const LATER: [&str; 2] = ["hmac", "instant"];

/// Deeper nesting says nothing more, and unbounded recursion would overflow the compiler's stack.
const DEEPEST: usize = 8;
