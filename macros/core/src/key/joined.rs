//! Lists, format strings and format macros: the names in them, joined as a key joins them.

use super::{Token, TokenKind};

/// `[a, b.c]` or `(a + b.c)` at the start of `tokens` → `a + b.c`.
pub(super) fn list(tokens: &[Token]) -> Option<String> {
    let terms: Option<Vec<String>> = split(inside(tokens)?).map(term).collect();
    join(terms?)
}

/// `format!("{}-{c}", a, b)` → `c + a + b`; `None` if an argument is more than a name with fields.
pub(super) fn of_macro(expression: &[Token]) -> Option<String> {
    let mark = expression.iter().position(|token| token.kind == TokenKind::Other("!".to_owned()))?;
    let mut names = Vec::new();
    let mut aliases = Vec::new();
    for argument in split(inside(expression.get(mark + 1..)?)?) {
        match argument {
            [Token { kind: TokenKind::Text(text), .. }] => names.extend(placeholders(text)),
            [
                Token { kind: TokenKind::Name(name), .. },
                Token { kind: TokenKind::Other(equals), .. },
                value @ ..,
            ] if equals == "=" => {
                aliases.push(name.clone());
                names.push(term(value)?);
            }
            other => names.push(term(other)?),
        }
    }
    // `{x}` of `x = order.no` is that value.
    join(names.into_iter().filter(|name| !aliases.contains(name)).collect())
}

/// `{a}-{b}` → the first brace, and `a + b`; `None` if `tokens` are no format string.
pub(super) fn format_string(tokens: &[Token]) -> Option<(&Token, String)> {
    let is_rust = |token: &Token| match &token.kind {
        TokenKind::Open(bracket) => *bracket == '(',
        TokenKind::Other(mark) => mark == "!",
        _ => false,
    };
    if tokens.iter().any(is_rust) {
        return None;
    }
    let brace = tokens.iter().position(|token| token.kind == TokenKind::Open('{'))?;
    let without_braces: Vec<Token> = tokens
        .iter()
        .filter(|token| !matches!(token.kind, TokenKind::Open('{') | TokenKind::Close('}')))
        .cloned()
        .collect();
    let terms: Option<Vec<String>> = split(&without_braces).map(term).collect();
    let joined = with_texts(tokens).or_else(|| terms.and_then(join)).or_else(|| {
        let braces = (brace..tokens.len()).filter_map(|index| tokens.get(index..));
        let braces = braces.filter(|rest| rest.first().is_some_and(|t| t.kind == TokenKind::Open('{')));
        join(braces.filter_map(|rest| term(until_colon(inside(rest)?))).collect())
    })?;
    Some((tokens.get(brace)?, joined))
}

/// `order-{no}` → `'order-' + no`; `None` if no text stands between the braces that says something, or if something
/// else than a name stands in them.
fn with_texts(tokens: &[Token]) -> Option<String> {
    let text = tokens.first()?.place.underline()?.literal().value();
    let mut terms = Vec::new();
    let mut says = false;
    for (index, piece) in text.split('{').enumerate() {
        let (inside, text) = if index == 0 {
            (None, piece)
        } else {
            let (inside, text) = piece.split_once('}')?;
            (Some(inside), text)
        };
        if let Some(inside) = inside {
            let name = inside.split(':').next().unwrap_or(inside).trim();
            let is_name =
                |name: &str| syn::parse_str::<syn::Ident>(name).is_ok() || name.parse::<u32>().is_ok();
            if !name.split('.').all(is_name) {
                return None;
            }
            terms.push(name.to_owned());
        }
        // A sign between two parts is only there to tell them apart, which a key does itself.
        if text.chars().any(char::is_alphanumeric) {
            if text.contains(['+', '\'', '"']) {
                return None;
            }
            terms.push(format!("'{text}'"));
            says = true;
        }
    }
    if says { join(terms) } else { None }
}

/// What the bracket that `tokens` begin with encloses.
fn inside(tokens: &[Token]) -> Option<&[Token]> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open(_) => depth += 1,
            TokenKind::Close(_) => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return tokens.get(1..index);
        }
    }
    None
}

/// Between commas and plus signs; a comma at the end is no mistake.
fn split(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    let tokens = match tokens {
        [rest @ .., Token { kind: TokenKind::Comma, .. }] => rest,
        all => all,
    };
    tokens.split(|token| matches!(token.kind, TokenKind::Comma | TokenKind::Plus))
}

/// `order.lines.0?`: a name with fields, and nothing else.
fn term(tokens: &[Token]) -> Option<String> {
    let mut after_dot = true;
    for token in tokens {
        after_dot = match token.kind {
            TokenKind::Name(_) | TokenKind::Number(_) if after_dot => false,
            TokenKind::Dot if !after_dot => true,
            TokenKind::Question if !after_dot => false,
            _ => return None,
        };
    }
    let begins = matches!(tokens.first()?.kind, TokenKind::Name(_));
    (begins && !after_dot).then(|| tokens.iter().map(|token| token.kind.to_string()).collect())
}

/// `{order_no:08}` names `order_no`.
fn until_colon(tokens: &[Token]) -> &[Token] {
    let colon = |token: &Token| matches!(&token.kind, TokenKind::Other(mark) if mark == ":");
    tokens.split(colon).next().unwrap_or(tokens)
}

/// The names in the braces of a format string.
fn placeholders(text: &str) -> Vec<String> {
    let names = text.split('{').skip(1).filter_map(|rest| rest.split(['}', ':']).next());
    names.filter(|name| syn::parse_str::<syn::Ident>(name).is_ok()).map(str::to_owned).collect()
}

fn join(terms: Vec<String>) -> Option<String> {
    let mut single: Vec<String> = Vec::new();
    for term in terms {
        if !single.contains(&term) {
            single.push(term);
        }
    }
    (!single.is_empty()).then(|| single.join(" + "))
}
