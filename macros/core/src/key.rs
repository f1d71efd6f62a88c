//! The key language: one tree for the string form and the unquoted form.

mod joined;
mod lexer;
mod parser;
mod rust;
#[cfg(test)]
mod tests;
mod tokens;

use std::fmt;
use std::rc::Rc;

use proc_macro2::{Span, TokenStream};
use syn::LitStr;

pub(crate) use self::parser::{parse_key, parse_validate};
use crate::diagnostic::Place;
use crate::literal::TextLiteral;
use crate::report::Report;

/// The value of `key = …` or `validate = …`, not yet parsed.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Text(Rc<TextLiteral>),
    Tokens(TokenStream),
}

impl Source {
    pub(crate) fn text(literal: &LitStr) -> Self {
        Self::Text(Rc::new(TextLiteral::new(literal)))
    }

    /// The whole expression.
    pub(crate) fn place(&self) -> Place {
        match self {
            Self::Text(literal) => Place::at(literal.span()),
            Self::Tokens(tokens) => Place::of(tokens),
        }
    }

    /// The text, or the tokens as the compiler prints them.
    pub(crate) fn written(&self) -> String {
        match self {
            Self::Text(literal) => literal.value().trim().to_owned(),
            Self::Tokens(tokens) => tokens.to_string(),
        }
    }

    fn lex(&self, report: &mut Report) -> Vec<Token> {
        match self {
            Self::Text(literal) => lexer::lex(literal, report),
            Self::Tokens(tokens) => tokens::lex(tokens.clone(), report),
        }
    }
}

/// `a + b.c + op`
#[derive(Clone, Debug)]
pub(crate) struct KeyExpression {
    /// The parts that could be read.
    pub(crate) parts: Vec<Part>,
    /// Whether these are all.
    pub(crate) complete: bool,
    /// Whether the parts are what was meant: `order-no` is read as two names and most likely is one.
    pub(crate) legible: bool,
}

/// One component of a key.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) kind: PartKind,
    pub(crate) place: Place,
}

#[derive(Clone, Debug)]
pub(crate) enum PartKind {
    /// `op`, or the parameter of that name: decided when names are resolved.
    Operation,
    Literal(String),
    Path(Path),
    Call(Function, Box<Part>),
}

impl Part {
    /// The path in it, whatever stands around it.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.kind {
            PartKind::Path(path) => Some(path),
            PartKind::Call(_, inner) => inner.path(),
            PartKind::Operation | PartKind::Literal(_) => None,
        }
    }
}

/// The functions of the key language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Hash,
    Lower,
    Trim,
    Date,
}

impl Function {
    pub(crate) const ALL: [Self; 4] = [Self::Hash, Self::Lower, Self::Trim, Self::Date];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hash => "hash",
            Self::Lower => "lower",
            Self::Trim => "trim",
            Self::Date => "date",
        }
    }
}

/// `root.field.0['name']?`
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) root: Name,
    pub(crate) steps: Vec<Step>,
    pub(crate) place: Place,
}

impl Path {
    /// Whether it is the variable itself, present or not, and no field of it.
    pub(crate) fn is_whole(&self) -> bool {
        self.steps.iter().all(|step| step.kind == StepKind::Present)
    }
}

/// A name; raw identifiers are kept without their `r#`.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) place: Place,
}

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) kind: StepKind,
    pub(crate) place: Place,
}

impl Step {
    /// The token that names the field, without the dot.
    pub(crate) fn name_span(&self) -> Span {
        self.place.last_span()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// `.field`
    Field(String),
    /// `.0`
    Index(u32),
    /// `['name']`
    Lookup(String),
    /// `?`
    Present,
}

/// `none`, or `a + b.c - a.d`
#[derive(Clone, Debug)]
pub(crate) enum ValidateExpression {
    Nothing,
    Sum { selected: Vec<Path>, excluded: Vec<Path> },
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            PartKind::Operation => f.write_str(OPERATION),
            PartKind::Literal(text) => write!(f, "'{text}'"),
            PartKind::Path(path) => path.fmt(f),
            PartKind::Call(function, inner) => write!(f, "{}({inner})", function.name()),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.root.text)?;
        self.steps.iter().try_for_each(|step| step.kind.fmt(f))
    }
}

impl fmt::Display for StepKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, ".{name}"),
            Self::Index(index) => write!(f, ".{index}"),
            Self::Lookup(name) => write!(f, "['{name}']"),
            Self::Present => f.write_str("?"),
        }
    }
}

/// The first path in `text`, and whether there is nothing else in it.
pub(crate) fn first_path(text: &str) -> Option<(Path, bool)> {
    let mut report = Report::new();
    let key = parse_key(&Source::text(&LitStr::new(text, Span::call_site())), &mut report);
    report.into_diagnostics();
    let is_all = key.complete && matches!(key.parts.as_slice(), [Part { kind: PartKind::Path(_), .. }]);
    Some((key.parts.iter().find_map(Part::path)?.clone(), is_all))
}

/// The word that stands for the operation.
pub(crate) const OPERATION: &str = "op";

/// What both forms are made of.
#[derive(Clone, Debug)]
struct Token {
    kind: TokenKind,
    place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TokenKind {
    Name(String),
    Number(String),
    Text(String),
    Plus,
    Minus,
    Dot,
    Question,
    Comma,
    PathSeparator,
    Open(char),
    Close(char),
    /// Nothing of the grammar; kept to be shown.
    Other(String),
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(text) | Self::Number(text) | Self::Other(text) => f.write_str(text),
            Self::Text(text) => write!(f, "'{text}'"),
            Self::Plus => f.write_str("+"),
            Self::Minus => f.write_str("-"),
            Self::Dot => f.write_str("."),
            Self::Question => f.write_str("?"),
            Self::Comma => f.write_str(","),
            Self::PathSeparator => f.write_str("::"),
            Self::Open(bracket) | Self::Close(bracket) => write!(f, "{bracket}"),
        }
    }
}
