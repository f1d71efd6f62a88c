//! A string literal of the user, with the way back from its value to its source text.

use std::ops::Range;

use proc_macro2::{Literal, Span};
use syn::LitStr;

/// A string literal and its value.
#[derive(Clone, Debug)]
pub struct TextLiteral {
    token: Literal,
    value: String,
}

impl TextLiteral {
    /// The literal of `text`.
    pub fn new(text: &LitStr) -> Self {
        Self { token: text.token(), value: text.value() }
    }

    /// The text the literal stands for, without quotes and escapes.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The span of the whole literal.
    pub fn span(&self) -> Span {
        self.token.span()
    }

    /// The span of a byte range of the value, where the compiler offers it: not on stable inside a macro.
    pub fn subspan(&self, range: Range<usize>) -> Option<Span> {
        self.token.subspan(self.source_range(range))
    }

    /// The byte range within the literal's own source text (quotes included) of a byte range of the value.
    pub fn source_range(&self, range: Range<usize>) -> Range<usize> {
        let source = self.token.to_string();
        self.source_offset(&source, range.start)..self.source_offset(&source, range.end)
    }

    fn source_offset(&self, source: &str, offset: usize) -> usize {
        let prefix = source.find('"').map_or(0, |quote| quote + 1);
        if source.starts_with('r') {
            return prefix + offset;
        }
        let mut rest = source.get(prefix..).unwrap_or("");
        let mut left = self.value.get(..offset).unwrap_or(&self.value).chars().count();
        loop {
            let (length, continues) = character_length(rest);
            if length == 0 || (left == 0 && !continues) {
                break;
            }
            rest = rest.get(length..).unwrap_or("");
            left -= usize::from(!continues);
        }
        source.len() - rest.len()
    }
}

/// How many bytes of source the first character takes, and whether they are a line continuation (no character
/// of the value).
fn character_length(source: &str) -> (usize, bool) {
    let mut characters = source.chars();
    match (characters.next(), characters.next()) {
        (Some('\\'), Some('x')) => (4, false),
        (Some('\\'), Some('u')) => (source.find('}').map_or(source.len(), |end| end + 1), false),
        (Some('\\'), Some('\n')) => {
            let rest = source.get(1..).unwrap_or("");
            (1 + rest.len() - rest.trim_start().len(), true)
        }
        (Some('\\'), Some(escaped)) => (1 + escaped.len_utf8(), false),
        (Some(plain), _) => (plain.len_utf8(), false),
        (None, _) => (0, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(source: &str) -> TextLiteral {
        TextLiteral::new(&syn::parse_str(source).unwrap())
    }

    fn source_of(source: &str, part: &str) -> String {
        let literal = literal(source);
        let start = literal.value().find(part).unwrap();
        source[literal.source_range(start..start + part.len())].to_owned()
    }

    #[test]
    fn ranges_of_the_value_lead_back_to_the_source() {
        assert_eq!(source_of(r#""a + beta""#, "beta"), "beta");
        assert_eq!(source_of(r##"r#"a + beta"#"##, "beta"), "beta");
        assert_eq!(source_of(r#""x[\"q\"] + beta""#, "beta"), "beta");
        assert_eq!(source_of(r#""\u{e9}\x41 + beta""#, "beta"), "beta");
        assert_eq!(source_of(r#""é + \tbeta + c""#, "beta"), "beta");
        assert_eq!(source_of("\"a + \\\n      beta\"", "beta"), "beta");
    }
}
