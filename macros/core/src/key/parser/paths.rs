//! `root.field.0['name']?`

use super::Parser;
use crate::key::{Name, Path, Step, StepKind, Token, TokenKind, rust};

impl Parser<'_> {
    /// `root.field.0['name']?`
    pub(super) fn path(&mut self) -> Option<Path> {
        let start = self.position;
        let token = self.next()?;
        let root = Name { text: token.kind.to_string(), place: token.place.clone() };
        let mut steps = Vec::new();
        while let Some(first) = self.peek() {
            if rust::is_call(self.tokens, self.position) {
                return rust::call(self.tokens, start, self.rule(), self.report);
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
                    self.error(place, "expected a name between the quotes")
                        .help("`headers['Idempotency-Key']`");
                    return None;
                }
                if self.next().map(|token| &token.kind) == Some(&TokenKind::Close(']')) {
                    return Some(StepKind::Lookup(name.clone()));
                }
                self.error(&open.place, "`[` is not closed").help(format!("`['{name}']`"));
            }
            Some(Token { kind: kind @ (TokenKind::Name(_) | TokenKind::Number(_)), place }) => {
                let diagnostic = self.error(place, format!("expected a name in quotes, found `{kind}`"));
                if matches!(kind, TokenKind::Number(_)) {
                    diagnostic
                        .help("one call for each element: take it as an argument of its own")
                        .note(format!("a field of a tuple is `.{kind}`; lists have no place in a key"));
                } else {
                    diagnostic.help(format!("`['{kind}']`"));
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
