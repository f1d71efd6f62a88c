//! Source files, and places in them.

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use cargo_metadata::camino::Utf8PathBuf;
use proc_macro2::{Span, TokenStream};

/// A file that was read.
#[derive(Debug)]
pub(crate) struct Source {
    /// Relative to the root of the workspace where it lies below it.
    pub(crate) path: Utf8PathBuf,
    pub(crate) text: String,
    /// What stands before the part that is parsed: a byte order mark, a shebang.
    pub(crate) offset: usize,
    line_starts: Vec<usize>,
}

impl Source {
    pub(crate) fn new(path: Utf8PathBuf, text: String) -> Self {
        let starts = text.match_indices('\n').map(|(newline, _)| newline + 1);
        let line_starts = std::iter::once(0).chain(starts).collect();
        Self { path, text, offset: 0, line_starts }
    }

    /// Line and column of a byte, both from one; the column in characters.
    pub(crate) fn position(&self, byte: usize) -> Position {
        let byte = byte.min(self.text.len());
        let line = self.line_starts.partition_point(|start| *start <= byte).max(1);
        let start = self.line_starts[line - 1];
        let column = self.text.get(start..byte).map_or(0, |before| before.chars().count()) + 1;
        Position { line, column }
    }

    /// The byte at a line (from one) and a column in characters (from zero), as the parser counts them.
    pub(crate) fn byte(&self, line: usize, column: usize) -> usize {
        let start = self.line_starts.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len());
        let rest = &self.text[start..];
        start + rest.char_indices().nth(column).map_or(rest.len(), |(byte, _)| byte)
    }
}

/// A line and a column, both from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A byte range of a file.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub(crate) source: Rc<Source>,
    pub(crate) range: Range<usize>,
}

impl Location {
    /// From the start of one token to the end of another; `None` for tokens that come from no file.
    pub(crate) fn of_spans(source: &Rc<Source>, (start, end): (Span, Span)) -> Option<Self> {
        let (start, end) = (start.byte_range(), end.byte_range());
        // The parser gives this range to what it was not asked to place.
        if end == (0..0) {
            return None;
        }
        let range = start.start + source.offset..end.end.max(start.start) + source.offset;
        Some(Self { source: Rc::clone(source), range })
    }

    /// From the first to the last token.
    pub(crate) fn of_tokens(source: &Rc<Source>, tokens: &TokenStream) -> Option<Self> {
        let mut spans = tokens.clone().into_iter().map(|token| token.span());
        let first = spans.next()?;
        let last = spans.last().unwrap_or(first);
        Self::of_spans(source, (first, last))
    }

    pub(crate) fn start(&self) -> Position {
        self.source.position(self.range.start)
    }

    pub(crate) fn end(&self) -> Position {
        self.source.position(self.range.end)
    }

    /// What orders findings, and tells equal ones.
    pub(crate) fn order(&self) -> (&str, usize, usize) {
        (self.source.path.as_str(), self.range.start, self.range.end)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.source.path, self.start())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let source = Source::new("a.rs".into(), "é=1\n  b\n".to_owned());
        let at = |byte| source.position(byte).to_string();
        assert_eq!([at(0), at(2), at(4), at(5), at(7)], ["1:1", "1:2", "1:4", "2:1", "2:3"]);
        assert_eq!(at(99), "3:1");
        assert_eq!((source.byte(1, 1), source.byte(2, 2), source.byte(9, 0)), (2, 7, 9));
    }
}
