//! One mistake: where it is, what it is, and what to type instead.

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use crate::lint::Lint;
use crate::literal::TextLiteral;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Level {
    /// The build fails.
    Error,
    /// The build goes on.
    Warning,
}

/// A finding, independent of how it is shown.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    code: &'static str,
    level: Level,
    place: Place,
    message: String,
    help: Option<String>,
    notes: Vec<String>,
    family: Family,
}

/// What the last line of a finding says about its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// A mistake of grammar or of names: nothing to allow.
    Mistake,
    /// A lint that `allow(..)` silences.
    Lint,
    /// A lint that nothing silences.
    Law,
}

impl Diagnostic {
    /// A finding of `lint`, at its level.
    pub(crate) fn lint(lint: &Lint, place: &Place, message: impl Into<String>) -> Self {
        let mut diagnostic = Self::error(lint.code, place, message);
        diagnostic.level = lint.level;
        diagnostic.family = if lint.can_be_allowed() { Family::Lint } else { Family::Law };
        diagnostic
    }

    /// Makes a warning of it: this form of the lint is a matter of judgement.
    pub(crate) fn warning(&mut self) -> &mut Self {
        self.level = Level::Warning;
        self
    }

    /// Nothing silences this form of the lint: the language has no word for what it is about.
    pub(crate) fn law(&mut self) -> &mut Self {
        self.family = Family::Law;
        self
    }

    /// Whether it is about the design and not about the grammar: what is written can be expanded.
    pub(crate) fn is_design(&self) -> bool {
        self.family == Family::Lint
    }

    pub(crate) fn set_level(&mut self, level: Level) {
        self.level = level;
    }

    pub(crate) fn error(code: &'static str, place: &Place, message: impl Into<String>) -> Self {
        Self {
            code,
            level: Level::Error,
            place: place.clone(),
            message: message.into(),
            help: None,
            notes: Vec::new(),
            family: Family::Mistake,
        }
    }

    /// What to type instead.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// Why.
    pub fn note(&mut self, note: impl Into<String>) -> &mut Self {
        self.notes.push(note.into());
        self
    }

    /// The stable, kebab-case name of this kind of finding.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// How bad it is.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Where it is.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The first line: the fact, in the user's spelling.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to type instead.
    pub fn help_text(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Why; the code is not among them.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The `compile_error!` for this finding, at its place.
    pub(crate) fn to_compile_error(&self) -> TokenStream {
        let (start, end) = self.place.spans();
        let first = Ident::new("start", start);
        let last = Ident::new("end", end);
        syn::Error::new_spanned(quote!(#first #last), self).to_compile_error()
    }
}

impl Diagnostic {
    // Output:
    //     {
    //         mod idempotent {
    //             #[deprecated(note = "…")]
    //             pub(super) fn per_invocation_id() {}
    //         }
    //         let _ = idempotent::per_invocation_id;
    //     }
    //
    // The only warning that a macro can give: the use of something deprecated, located at the user's token. The
    // compiler prints the path, which is therefore named after the lint. A function, because the name of a constant
    // would need an `allow`, which does not compile under a `forbid`.
    /// The statement that makes the compiler warn about this finding, at its place.
    pub(crate) fn to_warning(&self) -> TokenStream {
        let (start, end) = self.place.spans();
        let inside = Span::mixed_site().located_at(start);
        let name = self.code.replace('-', "_");
        let definition = Ident::new(&name, inside);
        let first = Ident::new("idempotent", inside);
        let last = Ident::new(&name, Span::mixed_site().located_at(end));
        let note = self.to_string();
        quote_spanned! {inside=>
            {
                mod idempotent {
                    #[deprecated(note = #note)]
                    pub(super) fn #definition() {}
                }
                let _ = #first::#last;
            }
        }
    }
}

/// The whole text as the compiler shows it: the message, the key with a drawn caret, help and notes.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(underline) = &self.place.underline {
            let (line, carets) = underline.drawing();
            write!(f, "\n\n  {line}\n  {carets}\n")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\nhelp: {help}")?;
        }
        for note in &self.notes {
            write!(f, "\nnote: {note}")?;
        }
        let code = self.code;
        match self.family {
            Family::Mistake => write!(f, "\nnote: idempotency error `{code}`"),
            Family::Lint => {
                write!(f, "\nnote: idempotency lint `{code}`; allow it with `allow({code}, reason = \"…\")`")
            }
            Family::Law => write!(f, "\nnote: idempotency lint `{code}`"),
        }
    }
}

/// A stretch of the user's source.
#[derive(Clone, Debug)]
pub struct Place {
    start: Span,
    end: Span,
    underline: Option<Underline>,
}

impl Place {
    /// One token.
    pub fn at(span: Span) -> Self {
        Self { start: span, end: span, underline: None }
    }

    /// From the first to the last of these tokens.
    pub fn of(tokens: &impl ToTokens) -> Self {
        let mut tokens = tokens.to_token_stream().into_iter();
        let start = tokens.next().map_or_else(Span::call_site, |token| token.span());
        let end = tokens.last().map_or(start, |token| token.span());
        Self { start, end, underline: None }
    }

    /// A byte range of the value of a literal.
    pub fn within(literal: &Rc<TextLiteral>, range: Range<usize>) -> Self {
        let span = literal.span();
        Self { start: span, end: span, underline: Some(Underline { literal: Rc::clone(literal), range }) }
    }

    /// From the start of this place to the end of that one.
    pub(crate) fn to(&self, last: &Self) -> Self {
        let underline = match (&self.underline, &last.underline) {
            (Some(first), Some(last)) => Some(Underline {
                literal: Rc::clone(&first.literal),
                range: first.range.start..last.range.end.max(first.range.end),
            }),
            _ => None,
        };
        Self { start: self.start, end: last.end, underline }
    }

    /// The span to emit tokens at: the token, or the literal it stands in.
    pub(crate) fn span(&self) -> Span {
        self.start
    }

    /// The last token, or the literal it stands in.
    pub(crate) fn last_span(&self) -> Span {
        self.end
    }

    /// The first and the last span. Inside a literal both are the exact range where the compiler offers it.
    pub fn spans(&self) -> (Span, Span) {
        let exact = self.underline.as_ref().and_then(Underline::subspan);
        exact.map_or((self.start, self.end), |span| (span, span))
    }

    /// The range within a string literal, if the place is inside one.
    pub fn underline(&self) -> Option<&Underline> {
        self.underline.as_ref()
    }
}

/// A byte range within the value of a string literal.
#[derive(Clone, Debug)]
pub struct Underline {
    literal: Rc<TextLiteral>,
    range: Range<usize>,
}

impl Underline {
    /// The literal.
    pub fn literal(&self) -> &TextLiteral {
        &self.literal
    }

    /// The byte range within the literal's value.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    fn subspan(&self) -> Option<Span> {
        self.literal.subspan(self.range())
    }

    /// The line of the value that holds the start of the range, and the carets under it.
    fn drawing(&self) -> (String, String) {
        let value = self.literal.value();
        let before = value.get(..self.range.start).unwrap_or(value);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = value.get(line_start..).unwrap_or("").lines().next().unwrap_or("");
        let column = before.get(line_start..).unwrap_or("").chars().count();
        let marked = value.get(self.range()).unwrap_or("").lines().next().unwrap_or("").chars().count();
        // A tab would move the carets, whose line holds none.
        let line = line.replace('\t', " ");
        (line, format!("{}{}", " ".repeat(column), "^".repeat(marked.max(1))))
    }
}
