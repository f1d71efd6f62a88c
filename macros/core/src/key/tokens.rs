//! The unquoted form: Rust tokens with their own spans.

use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::{Ident, Lit};

use super::{Token, TokenKind};
use crate::diagnostic::Place;
use crate::report::Report;

/// The tokens of the grammar in `stream`, groups opened up.
pub(super) fn lex(stream: TokenStream, report: &mut Report) -> Vec<Token> {
    let mut tokens = Vec::new();
    collect(stream, &mut tokens, report);
    tokens
}

fn collect(stream: TokenStream, tokens: &mut Vec<Token>, report: &mut Report) {
    let mut stream = stream.into_iter().peekable();
    while let Some(tree) = stream.next() {
        let place = Place::at(tree.span());
        let mut push = |kind| tokens.push(Token { kind, place: place.clone() });
        match tree {
            TokenTree::Ident(ident) => push(TokenKind::Name(Ident::unraw(&ident).to_string())),
            TokenTree::Literal(literal) => literal_tokens(literal, &mut push, report),
            TokenTree::Punct(punct) => {
                let before_colon = matches!(stream.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':');
                if punct.as_char() == ':' && before_colon {
                    stream.next();
                    push(TokenKind::PathSeparator);
                } else {
                    push(punctuation(punct.as_char()));
                }
            }
            TokenTree::Group(group) => {
                let brackets = match group.delimiter() {
                    Delimiter::Parenthesis => Some(('(', ')')),
                    Delimiter::Bracket => Some(('[', ']')),
                    Delimiter::Brace => Some(('{', '}')),
                    // What a `macro_rules!` fragment leaves around its tokens.
                    Delimiter::None => None,
                };
                if let Some((open, _)) = brackets {
                    tokens.push(Token { kind: TokenKind::Open(open), place: Place::at(group.span_open()) });
                }
                collect(group.stream(), tokens, report);
                if let Some((_, close)) = brackets {
                    tokens
                        .push(Token { kind: TokenKind::Close(close), place: Place::at(group.span_close()) });
                }
            }
        }
    }
}

fn punctuation(character: char) -> TokenKind {
    match character {
        '+' => TokenKind::Plus,
        '-' => TokenKind::Minus,
        '.' => TokenKind::Dot,
        '?' => TokenKind::Question,
        ',' => TokenKind::Comma,
        other => TokenKind::Other(other.to_string()),
    }
}

fn literal_tokens(literal: Literal, push: &mut impl FnMut(TokenKind), report: &mut Report) {
    let source = literal.to_string();
    match Lit::new(literal) {
        Lit::Str(text) => push(TokenKind::Text(text.value())),
        Lit::Char(character) => {
            report
                .error("key-syntax", &Place::at(character.span()), "a text stands between double quotes")
                .help(format!("`\"{}\"`", character.value()));
            push(TokenKind::Text(character.value().to_string()));
        }
        Lit::Int(number) => push(TokenKind::Number(number.to_string())),
        // `pair.0.1` lexes as `pair`, `.` and the float `0.1`.
        Lit::Float(_) => {
            for (index, number) in source.split('.').enumerate() {
                if index > 0 {
                    push(TokenKind::Dot);
                }
                if !number.is_empty() {
                    push(TokenKind::Number(number.to_owned()));
                }
            }
        }
        _ => push(TokenKind::Other(source)),
    }
}
