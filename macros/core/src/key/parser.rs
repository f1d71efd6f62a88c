//! From tokens to the tree. After a mistake it goes on behind the next `+`, so that one build shows all.

mod calls;
mod mistakes;
mod paths;

use self::calls::is_function;
use super::{
    KeyExpression, OPERATION, Part, PartKind, Path, Source, Token, TokenKind, ValidateExpression, joined,
    rust,
};
use crate::diagnostic::{Diagnostic, Place};
use crate::report::Report;

/// The tree of `key = …`, without the parts in which something was reported.
pub(crate) fn parse_key(source: &Source, report: &mut Report) -> KeyExpression {
    let before = report.len();
    let tokens = source.lex(report);
    if tokens.is_empty() {
        report
            .error("key-syntax", &source.place(), "`key` is empty")
            .help("for example `tenant_id + op + order_no`");
        return KeyExpression { parts: Vec::new(), complete: false, legible: false };
    }
    let mut parser = Parser { tokens: &tokens, position: 0, subject: Subject::Key, report };
    let parts = parser.sum(Parser::part).into_iter().map(|(_, part)| part).collect();
    let legible = !report.holds_since(before, "key-syntax");
    KeyExpression { parts, complete: report.len() == before, legible }
}

/// The tree of `validate = …`; `None` if something was reported.
pub(crate) fn parse_validate(source: &Source, report: &mut Report) -> Option<ValidateExpression> {
    let before = report.len();
    let tokens = source.lex(report);
    match tokens.as_slice() {
        [] => {
            report
                .error("validate-syntax", &source.place(), "`validate` is empty")
                .help("name the arguments to compare, for example `body`, or write `none`");
            return None;
        }
        [Token { kind: TokenKind::Name(name), .. }] if name == NOTHING => {
            return Some(ValidateExpression::Nothing);
        }
        _ => {}
    }
    let mut parser = Parser { tokens: &tokens, position: 0, subject: Subject::Validate, report };
    let terms = parser.sum(Parser::selection);
    if report.len() != before {
        return None;
    }
    let (selected, excluded): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(sign, _)| *sign == Sign::Plus);
    let paths = |terms: Vec<(Sign, Path)>| terms.into_iter().map(|(_, path)| path).collect();
    Some(ValidateExpression::Sum { selected: paths(selected), excluded: paths(excluded) })
}

/// The word for "compare nothing".
const NOTHING: &str = "none";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Key,
    Validate,
}

pub(super) struct Parser<'a> {
    tokens: &'a [Token],
    position: usize,
    subject: Subject,
    report: &'a mut Report,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.position)
    }

    fn peek_kind(&self) -> Option<&'a TokenKind> {
        self.peek().map(|token| &token.kind)
    }

    fn next(&mut self) -> Option<&'a Token> {
        let token = self.tokens.get(self.position)?;
        self.position += 1;
        Some(token)
    }

    /// The last token before the position: where something is missing.
    fn previous(&self) -> Place {
        let index = self.position.saturating_sub(1);
        let token = self.tokens.get(index).or(self.tokens.last());
        token.map_or_else(|| Place::at(proc_macro2::Span::call_site()), |token| token.place.clone())
    }

    fn error(&mut self, place: &Place, message: impl Into<String>) -> &mut Diagnostic {
        let code = match self.subject {
            Subject::Key => "key-syntax",
            Subject::Validate => "validate-syntax",
        };
        self.report.error(code, place, message)
    }

    /// What Rust expressions run up against.
    fn rule(&self) -> &'static str {
        match self.subject {
            Subject::Key => "a key is made of arguments",
            Subject::Validate => "`validate` compares arguments",
        }
    }

    fn word(&self) -> &'static str {
        match self.subject {
            Subject::Key => "part",
            Subject::Validate => "path",
        }
    }

    /// Terms with their signs.
    fn sum<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Vec<(Sign, T)> {
        let mut terms = Vec::new();
        if let Some((brace, names)) = joined::format_string(self.tokens) {
            // One mistake, though every sign of it is out of place.
            let message = format!("{}s stand without braces", self.word());
            self.error(&brace.place, message).help(format!("`{names}`"));
            return terms;
        }
        let mut sign = Sign::Plus;
        loop {
            let start = self.position;
            let before = self.report.len();
            let term = read(self);
            let is_read = term.is_some();
            if let Some(term) = term {
                terms.push((sign, term));
            } else {
                self.position = start;
                self.never_silent(before);
                self.skip_stray_minus();
            }
            let ended = matches!(self.peek_kind(), None | Some(TokenKind::Plus | TokenKind::Minus));
            if is_read && !ended {
                self.missing_plus();
            }
            self.skip_term();
            match self.sign() {
                Some(next) => sign = next,
                None => return terms,
            }
        }
    }

    /// A term that was neither read nor reported would be missing from the key without a word.
    fn never_silent(&mut self, before: usize) {
        if self.report.len() == before {
            let place = self.peek().map_or_else(|| self.previous(), |token| token.place.clone());
            let message = format!("expected a {}", self.word());
            self.error(&place, message);
        }
    }

    /// A `-` where a term should begin is reported with what follows it.
    fn skip_stray_minus(&mut self) {
        let before_number = matches!(self.following(), Some(TokenKind::Number(_)));
        if self.peek_kind() == Some(&TokenKind::Minus) && (before_number || self.subject == Subject::Key) {
            self.position += 1;
        }
    }

    /// The token behind the next one.
    fn following(&self) -> Option<&'a TokenKind> {
        self.tokens.get(self.position + 1).map(|token| &token.kind)
    }

    /// To the next sign outside brackets.
    fn skip_term(&mut self) {
        let mut depth = 0_usize;
        while let Some(kind) = self.peek_kind() {
            match kind {
                TokenKind::Plus | TokenKind::Minus if depth == 0 => return,
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.position += 1;
        }
    }

    /// The sign at the position, if a term follows it.
    fn sign(&mut self) -> Option<Sign> {
        let token = self.next()?;
        let sign = if token.kind == TokenKind::Minus { Sign::Minus } else { Sign::Plus };
        if sign == Sign::Minus && self.subject == Subject::Key {
            self.error(&token.place, "`-` has no meaning in `key`")
                .help("join parts with `+`")
                .note("`-` excludes fields from `validate`; a name holds `_`, not `-`");
        } else if self.peek().is_none() {
            let message = format!("expected a {} after `{}`", self.word(), token.kind);
            self.error(&token.place, message).help(format!("add one, or remove the `{}`", token.kind));
        }
        self.peek().map(|_| sign)
    }

    /// A term of `key`.
    fn part(&mut self) -> Option<Part> {
        self.part_at_depth(0)
    }

    fn part_at_depth(&mut self, depth: usize) -> Option<Part> {
        let token = self.peek()?;
        match &token.kind {
            TokenKind::Name(name) => {
                if self.following() == Some(&TokenKind::Open('(')) {
                    return self.call(name, depth);
                }
                let path = self.path()?;
                let place = path.place.clone();
                let alone = path.steps.is_empty() && path.root.text == OPERATION;
                let kind = if alone { PartKind::Operation } else { PartKind::Path(path) };
                Some(Part { kind, place })
            }
            TokenKind::Text(text) => {
                self.position += 1;
                if text.is_empty() {
                    self.error(&token.place, "an empty text adds nothing to the key").help("remove it");
                    return None;
                }
                Some(Part { kind: PartKind::Literal(text.clone()), place: token.place.clone() })
            }
            _ => self.no_term(token),
        }
    }

    /// A term of `validate`.
    fn selection(&mut self) -> Option<Path> {
        let token = self.peek()?;
        let TokenKind::Name(name) = &token.kind else { return self.no_term(token) };
        let is_call = self.following() == Some(&TokenKind::Open('('));
        if is_call && is_function(name) {
            self.error(&token.place, format!("`{name}` has no meaning in `validate`"))
                .help("name the argument itself")
                .note("what `validate` selects is stored as a hash only");
            return None;
        }
        if is_call {
            return rust::call(self.tokens, self.position, self.rule(), self.report);
        }
        let path = self.path()?;
        if path.root.text == NOTHING && path.steps.is_empty() {
            self.error(&path.place, "`none` stands alone")
                .help("`validate = none`, or the arguments to compare");
            return None;
        }
        Some(path)
    }
}
