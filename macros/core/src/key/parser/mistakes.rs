//! What is said about a token that stands in the wrong place.

use super::{Parser, Subject};
use crate::diagnostic::Place;
use crate::key::{Token, TokenKind, joined};

impl Parser<'_> {
    /// Reports what stands where a term has ended.
    pub(super) fn missing_plus(&mut self) {
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

    /// Reports a token that begins no term.
    pub(super) fn no_term<T>(&mut self, token: &Token) -> Option<T> {
        let word = self.word();
        let subject = self.subject;
        let found = &token.kind;
        let following = self.following().map(ToString::to_string);
        match found {
            TokenKind::Text(_) => {
                self.error(&token.place, "a text has no meaning in `validate`").help("remove it");
            }
            TokenKind::Number(number) => {
                self.error(&token.place, format!("a number is no {word} of its own"))
                    .help(as_text(number, &token.place));
            }
            TokenKind::Minus if matches!(self.following(), Some(TokenKind::Number(_))) => {
                let number = following.unwrap_or_default();
                let place = token.place.to(&self.place_after());
                let diagnostic = self.error(&place, format!("a number is no {word} of its own"));
                if subject == Subject::Key {
                    diagnostic.help(as_text(&format!("-{number}"), &token.place));
                } else {
                    diagnostic.help("remove it");
                }
            }
            TokenKind::Plus | TokenKind::Minus => {
                let diagnostic = self.error(&token.place, format!("expected a {word} before `{found}`"));
                if *found == TokenKind::Minus && subject == Subject::Key {
                    diagnostic.help("remove it: parts are joined with `+`");
                }
            }
            TokenKind::Open(bracket @ ('(' | '[')) => {
                let names = joined::list(self.tokens.get(self.position..).unwrap_or_default());
                let follows = if *bracket == '(' {
                    "parentheses only follow a function"
                } else {
                    "brackets only follow a map"
                };
                let help = names.map_or_else(|| "remove them".to_owned(), |names| format!("`{names}`"));
                self.error(&token.place, follows).help(help);
            }
            TokenKind::Open('{') => {
                self.error(&token.place, format!("{word}s stand without braces"))
                    .help("join plain names with `+`: `tenant_id + order_no`");
            }
            TokenKind::Other(other) if matches!(other.as_str(), "&" | "*") => {
                let name = following.unwrap_or_default();
                self.error(&token.place, format!("{word}s stand without `{other}`"))
                    .help(format!("`{name}`"));
            }
            _ => {
                self.error(&token.place, format!("expected a {word}, found `{found}`"))
                    .help("a part is an argument, a field of one, `op`, or a text");
            }
        }
        None
    }

    /// Where the token behind the next one stands.
    fn place_after(&self) -> Place {
        self.tokens.get(self.position + 1).map_or_else(|| self.previous(), |token| token.place.clone())
    }
}

/// The number as it is written in the form of the key that it stands in.
fn as_text(number: &str, place: &Place) -> String {
    let quote = if place.underline().is_some() { '\'' } else { '"' };
    format!("as a text: `{quote}{number}{quote}`")
}
