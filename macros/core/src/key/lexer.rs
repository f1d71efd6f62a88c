//! The string form's own lexer: single quotes and hyphens do not lex as Rust.

use std::rc::Rc;

use super::{Token, TokenKind};
use crate::diagnostic::Place;
use crate::literal::TextLiteral;
use crate::report::Report;

/// The tokens of `literal`. What is not of the grammar comes as `Other`, so that the parser can say more.
pub(super) fn lex(literal: &Rc<TextLiteral>, report: &mut Report) -> Vec<Token> {
    let text = literal.value();
    let mut tokens = Vec::new();
    let mut rest = text;
    // What is still to be closed, outermost first.
    let mut open = Vec::new();
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let (length, kind) = token(first, rest);
        let place = Place::within(literal, start..start + length);
        match kind {
            Lexed::Space => {}
            Lexed::Token(kind) => {
                follow(&kind, &mut open);
                tokens.push(Token { kind, place });
            }
            Lexed::OpenQuote(text) => {
                report
                    .error("key-syntax", &place, "the quote is not closed")
                    .help("a text stands between single quotes: `'eu'`, `headers['Idempotency-Key']`");
                // A bracket that follows nothing would be a mistake of its own.
                if ends_with_bare_bracket(&tokens) {
                    tokens.pop();
                    open.pop();
                }
                tokens.push(Token { kind: TokenKind::Text(text), place: place.clone() });
                // The text took the closing brackets with it: no mistake of their own.
                let closing = open.drain(..).rev().map(TokenKind::Close);
                tokens.extend(closing.map(|kind| Token { kind, place: place.clone() }));
            }
            Lexed::DoubleQuoted(text) => {
                report
                    .error("key-syntax", &place, "a text inside the string stands between single quotes")
                    .help(format!("`'{text}'`"));
                tokens.push(Token { kind: TokenKind::Text(text), place });
            }
        }
        rest = rest.get(length..).unwrap_or("");
    }
    tokens
}

fn ends_with_bare_bracket(tokens: &[Token]) -> bool {
    let Some((Token { kind: TokenKind::Open(_), .. }, before)) = tokens.split_last() else { return false };
    before.last().is_none_or(|before| matches!(before.kind, TokenKind::Plus | TokenKind::Minus))
}

/// Keeps in `open` what closes the brackets that are open.
fn follow(kind: &TokenKind, open: &mut Vec<char>) {
    match kind {
        TokenKind::Open('(') => open.push(')'),
        TokenKind::Open('[') => open.push(']'),
        TokenKind::Open('{') => open.push('}'),
        TokenKind::Close(_) => drop(open.pop()),
        _ => {}
    }
}

enum Lexed {
    Space,
    Token(TokenKind),
    OpenQuote(String),
    DoubleQuoted(String),
}

/// The first token of `rest`, and its length in bytes.
fn token(first: char, rest: &str) -> (usize, Lexed) {
    let run = |belongs: fn(char) -> bool| rest.find(|c| !belongs(c)).unwrap_or(rest.len());
    let taken = |length: usize| rest.get(..length).unwrap_or(rest).to_owned();
    let single = |kind| (first.len_utf8(), Lexed::Token(kind));
    match first {
        c if c.is_whitespace() => (run(char::is_whitespace), Lexed::Space),
        '+' => single(TokenKind::Plus),
        '-' => single(TokenKind::Minus),
        '.' => single(TokenKind::Dot),
        '?' => single(TokenKind::Question),
        ',' => single(TokenKind::Comma),
        '(' | '[' | '{' => single(TokenKind::Open(first)),
        ')' | ']' | '}' => single(TokenKind::Close(first)),
        ':' if rest.starts_with("::") => (2, Lexed::Token(TokenKind::PathSeparator)),
        '\'' | '"' => quoted(first, rest),
        c if c.is_ascii_digit() => {
            let length = run(|c| c.is_ascii_alphanumeric() || c == '_');
            (length, Lexed::Token(TokenKind::Number(taken(length))))
        }
        'r' if rest.strip_prefix("r#").is_some_and(|name| name.starts_with(starts_name)) => {
            let name = rest.get(2..).unwrap_or("");
            let length = name.find(|c| !continues_name(c)).unwrap_or(name.len());
            let name = name.get(..length).unwrap_or(name).to_owned();
            (2 + length, Lexed::Token(TokenKind::Name(name)))
        }
        c if starts_name(c) => {
            let length = run(continues_name);
            (length, Lexed::Token(TokenKind::Name(taken(length))))
        }
        _ => single(TokenKind::Other(first.to_string())),
    }
}

fn quoted(quote: char, rest: &str) -> (usize, Lexed) {
    let inside = rest.get(1..).unwrap_or("");
    match inside.find(quote) {
        Some(end) => {
            let text = inside.get(..end).unwrap_or(inside).to_owned();
            let lexed =
                if quote == '"' { Lexed::DoubleQuoted(text) } else { Lexed::Token(TokenKind::Text(text)) };
            (end + 2, lexed)
        }
        None => (rest.len(), Lexed::OpenQuote(inside.to_owned())),
    }
}

/// The same rule as the compiler's: `Ident::new` panics on anything else.
fn starts_name(c: char) -> bool {
    c == '_' || unicode_ident::is_xid_start(c)
}

fn continues_name(c: char) -> bool {
    unicode_ident::is_xid_continue(c)
}
