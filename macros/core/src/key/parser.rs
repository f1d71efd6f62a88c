//! From tokens to the tree. After a mistake it goes on behind the next `+`, so that one build shows all.

use super::{
    Function, KeyExpression, Name, OPERATION, Part, PartKind, Path, Source, Step, StepKind, Token, TokenKind,
    ValidateExpression, rust,
};
use crate::diagnostic::Place;
use crate::report::Report;
use crate::suggest;

/// The tree of `key = …`; `None` if something was reported.
pub(crate) fn parse_key(source: &Source, report: &mut Report) -> Option<KeyExpression> {
    let before = report.len();
    let tokens = source.lex(report);
    if tokens.is_empty() {
        report.error("key-syntax", &source.place(), "`key` is empty").help("for example `tenant_id + op + order_no`");
        return None;
    }
    let mut parser = Parser { tokens: &tokens, position: 0, subject: Subject::Key, report };
    let parts = parser.sum(Parser::part).into_iter().map(|(_, part)| part).collect();
    (report.len() == before).then_some(KeyExpression { parts })
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
        [Token { kind: TokenKind::Name(name), .. }] if name == NOTHING => return Some(ValidateExpression::Nothing),
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

/// Deeper nesting says nothing more, and unbounded recursion would overflow the compiler's stack.
const DEEPEST: usize = 8;

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

    fn error(&mut self, place: &Place, message: impl Into<String>) -> &mut crate::diagnostic::Diagnostic {
        let code = match self.subject {
            Subject::Key => "key-syntax",
            Subject::Validate => "validate-syntax",
        };
        self.report.error(code, place, message)
    }

    fn word(&self) -> &'static str {
        match self.subject {
            Subject::Key => "part",
            Subject::Validate => "path",
        }
    }

    /// Terms with their signs.
    fn sum<T>(&mut self, mut term: impl FnMut(&mut Self) -> Option<T>) -> Vec<(Sign, T)> {
        let mut terms = Vec::new();
        let mut sign = Sign::Plus;
        loop {
            let start = self.position;
            match term(self) {
                Some(term) => terms.push((sign, term)),
                None => self.position = start,
            }
            let ended = matches!(self.peek_kind(), None | Some(TokenKind::Plus | TokenKind::Minus));
            if self.position > start && !ended {
                self.missing_plus();
            }
            self.skip_term();
            match self.sign() {
                Some(next) => sign = next,
                None => return terms,
            }
        }
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

    fn missing_plus(&mut self) {
        let Some(token) = self.peek() else { return };
        let found = &token.kind;
        match found {
            TokenKind::Close(bracket) => {
                self.error(&token.place, format!("`{bracket}` closes nothing"));
            }
            TokenKind::Comma | TokenKind::Other(_) => {
                let message = format!("{}s are joined with `+`, found `{found}`", self.word());
                self.error(&token.place, message).help("for example `tenant_id + order_no`");
            }
            _ => {
                let message = format!("expected `+` before `{found}`");
                self.error(&token.place, message).help(format!("`+ {found}`"));
            }
        }
    }

    /// A term of `key`.
    fn part(&mut self) -> Option<Part> {
        self.part_at_depth(0)
    }

    fn part_at_depth(&mut self, depth: usize) -> Option<Part> {
        let token = self.peek()?;
        match &token.kind {
            TokenKind::Name(name) => {
                if self.tokens.get(self.position + 1).map(|t| &t.kind) == Some(&TokenKind::Open('(')) {
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
        let is_call = self.tokens.get(self.position + 1).map(|t| &t.kind) == Some(&TokenKind::Open('('));
        if is_call && is_function(name) {
            self.error(&token.place, format!("`{name}` has no meaning in `validate`"))
                .help("name the argument itself")
                .note("what `validate` selects is stored as a hash only");
            return None;
        }
        if is_call {
            return rust::call(self.tokens, self.position, self.report);
        }
        let path = self.path()?;
        if path.root.text == NOTHING && path.steps.is_empty() {
            self.error(&path.place, "`none` stands alone").help("`validate = none`, or the arguments to compare");
            return None;
        }
        Some(path)
    }

    /// Reports a token that begins no term.
    fn no_term<T>(&mut self, token: &Token) -> Option<T> {
        let word = self.word();
        let found = &token.kind;
        let following = self.tokens.get(self.position + 1).map(|token| token.kind.to_string());
        match found {
            TokenKind::Text(_) => {
                self.error(&token.place, "a text has no meaning in `validate`").help("remove it");
            }
            TokenKind::Number(number) => {
                self.error(&token.place, format!("a number is no {word} of its own"))
                    .help(format!("as a text: `'{number}'`"));
            }
            TokenKind::Plus | TokenKind::Minus => {
                self.error(&token.place, format!("expected a {word} before `{found}`"));
            }
            TokenKind::Open('(') => {
                self.error(&token.place, "parentheses only follow a function").help("remove them");
            }
            TokenKind::Open('{') => {
                let name = following.unwrap_or_default();
                self.error(&token.place, format!("{word}s stand without braces")).help(format!("`{name}`"));
            }
            TokenKind::Other(other) if matches!(other.as_str(), "{" | "&" | "*") => {
                let name = following.unwrap_or_default();
                self.error(&token.place, format!("{word}s stand without `{other}`")).help(format!("`{name}`"));
            }
            _ => {
                self.error(&token.place, format!("expected a {word}, found `{found}`"))
                    .help("a part is an argument, a field of one, `op`, or a text");
            }
        }
        None
    }

    /// `name(part)`
    fn call(&mut self, name: &str, depth: usize) -> Option<Part> {
        let start = self.position;
        let place = self.next()?.place.clone();
        let Some(function) = Function::ALL.into_iter().find(|function| function.name() == name) else {
            if LATER.contains(&name) {
                let message = format!("`{name}(..)` is not yet supported");
                let known = suggest::list(Function::ALL.map(Function::name));
                self.report.error("not-yet-supported", &place, message).note(format!("functions are {known}"));
            } else if let Some(meant) = suggest::closest(name, Function::ALL.map(Function::name)) {
                let known = suggest::list(Function::ALL.map(Function::name));
                self.report
                    .error("unknown-function", &place, format!("unknown function `{name}` in `key`"))
                    .help(format!("did you mean `{meant}`?"))
                    .note(format!("functions are {known}"));
            } else {
                return rust::call(self.tokens, start, self.report);
            }
            return None;
        };
        let open = self.next()?;
        if depth == DEEPEST {
            self.error(&place, "functions are nested too deep");
            return None;
        }
        if self.peek_kind() == Some(&TokenKind::Close(')')) {
            self.error(&place, format!("`{name}` takes exactly one part")).help(format!("`{name}(order_no)`"));
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
        self.close_call(name, open, &inner)?;
        let place = place.to(&self.previous());
        self.after_call(name, &inner)?;
        Some(Part { kind: PartKind::Call(function, Box::new(inner)), place })
    }

    fn close_call(&mut self, name: &str, open: &Token, inner: &Part) -> Option<()> {
        let Some(next) = self.next() else {
            self.error(&open.place, "`(` is not closed").help(format!("`{name}({inner})`"));
            return None;
        };
        match next.kind {
            TokenKind::Close(')') => return Some(()),
            TokenKind::Plus | TokenKind::Comma => {
                self.error(&next.place, format!("`{name}` takes exactly one part"))
                    .help(format!("one call each: `{name}({inner}) + {name}(..)`"));
            }
            _ => {
                self.error(&next.place, format!("expected `)`, found `{}`", next.kind));
            }
        }
        None
    }

    fn after_call(&mut self, name: &str, inner: &Part) -> Option<()> {
        let next = self.peek()?.clone();
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

    /// `root.field.0['name']?`
    fn path(&mut self) -> Option<Path> {
        let start = self.position;
        let token = self.next()?;
        let root = Name { text: token.kind.to_string(), place: token.place.clone() };
        let mut steps = Vec::new();
        loop {
            let first = match self.peek() {
                Some(token) => token,
                None => break,
            };
            if rust::is_call(self.tokens, self.position) {
                return rust::call(self.tokens, start, self.report);
            }
            let kind = match first.kind {
                TokenKind::Question => {
                    self.position += 1;
                    StepKind::Present
                }
                TokenKind::Dot => self.field()?,
                TokenKind::Open('[') => self.lookup()?,
                _ => break,
            };
            steps.push(Step { kind, place: first.place.to(&self.previous()) });
        }
        let place = root.place.to(&self.previous());
        Some(Path { root, steps, place })
    }

    fn field(&mut self) -> Option<StepKind> {
        let dot = self.next()?;
        match self.peek() {
            Some(Token { kind: TokenKind::Name(name), place }) => {
                if rust::NO_FIELD.contains(&name.as_str()) {
                    self.error(place, format!("`{name}` is no name of a field"));
                    return None;
                }
                self.position += 1;
                Some(StepKind::Field(name.clone()))
            }
            Some(Token { kind: TokenKind::Number(number), place }) => {
                self.position += 1;
                let index = number.parse().ok().map(StepKind::Index);
                if index.is_none() {
                    self.error(place, format!("`{number}` is no index of a tuple")).help("`.0`, `.1`, …");
                }
                index
            }
            found => {
                let place = found.map_or_else(|| dot.place.clone(), |token| token.place.clone());
                self.error(&place, "expected a field after `.`");
                None
            }
        }
    }

    fn lookup(&mut self) -> Option<StepKind> {
        let open = self.next()?;
        match self.next() {
            Some(Token { kind: TokenKind::Text(name), place }) => {
                if name.is_empty() {
                    self.error(place, "expected a name between the quotes").help("`headers['Idempotency-Key']`");
                    return None;
                }
                if self.next().map(|token| &token.kind) == Some(&TokenKind::Close(']')) {
                    return Some(StepKind::Lookup(name.clone()));
                }
                self.error(&open.place, "`[` is not closed").help(format!("`['{name}']`"));
            }
            Some(Token { kind: kind @ (TokenKind::Name(_) | TokenKind::Number(_)), place }) => {
                let diagnostic = self.error(place, format!("expected a name in quotes, found `{kind}`"));
                diagnostic.help(format!("`['{kind}']`"));
                if matches!(kind, TokenKind::Number(_)) {
                    diagnostic.note(format!("a field of a tuple is `.{kind}`; lists have no place in a key"));
                }
            }
            _ => {
                self.error(&open.place, "expected a name in quotes after `[`")
                    .help("`headers['Idempotency-Key']`");
            }
        }
        None
    }
}

fn is_function(name: &str) -> bool {
    LATER.contains(&name) || Function::ALL.into_iter().any(|function| function.name() == name)
}

/// Functions of the language that this version refuses by name.
const LATER: [&str; 2] = ["hmac", "instant"];
