//! `allow(code, reason = "…")`

use proc_macro2::{Ident, Span, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{LitStr, Token};

use super::value::{parenthesized, skip_to_comma, skip_to_end};
use crate::diagnostic::Place;
use crate::lint::{self, Lint};
use crate::report::Report;
use crate::suggest;

/// A lint that this operation silences, on purpose and with a reason.
#[derive(Clone, Debug)]
pub struct Allow {
    pub(crate) lint: &'static Lint,
    pub(crate) reason: String,
    pub(crate) place: Place,
    /// Which argument it is.
    pub(crate) index: usize,
}

impl Allow {
    /// The code of the lint.
    pub fn code(&self) -> &'static str {
        self.lint.code
    }

    /// Why it does not apply here, in the user's words.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The code as it was written.
    pub fn place(&self) -> &Place {
        &self.place
    }
}

/// `allow(timestamp, reason = "the clock of the order, not of the request")`
pub(super) fn allow(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Allow> {
    let Ok(content) = parenthesized(input) else {
        report
            .error("malformed-argument", &Place::at(name.span()), "`allow` takes a lint and a reason")
            .help(EXAMPLE);
        skip_to_comma(input);
        return None;
    };
    let content: ParseStream<'_> = &content;
    let allow = inside(name, content, report);
    skip_to_end(content);
    allow
}

const EXAMPLE: &str = "`allow(timestamp, reason = \"set once, when the order is made\")`";

fn inside(name: &Ident, content: ParseStream<'_>, report: &mut Report) -> Option<Allow> {
    let (code, place) = code(name, content, report)?;
    let lint = find(&code, &place, report);
    let reason = reason(&code, &place, content, report);
    let lint = lint?;
    if !lint.can_be_allowed() {
        let message = format!("`{code}` cannot be allowed");
        report.error("bad-allow", &place, message).help("remove the `allow`").note(lint.summary);
        return None;
    }
    Some(Allow { lint, reason: reason?, place, index: report.argument() })
}

/// `per-invocation-id`: words with hyphens between them.
fn code(name: &Ident, content: ParseStream<'_>, report: &mut Report) -> Option<(String, Place)> {
    let mut code = String::new();
    let mut spans: Option<(Span, Span)> = None;
    while let Ok(word) = content.call(Ident::parse_any) {
        code.push_str(&word.to_string());
        spans = Some((spans.map_or_else(|| word.span(), |(first, _)| first), word.span()));
        if content.parse::<Option<Token![-]>>().is_ok_and(|hyphen| hyphen.is_some()) {
            code.push('-');
        } else {
            break;
        }
    }
    if let Some((first, last)) = spans {
        return Some((code, Place::at(first).to(&Place::at(last))));
    }
    let found = content.parse::<TokenTree>();
    let place = found.as_ref().map_or_else(|_| Place::at(name.span()), Place::of);
    let message = match found {
        Ok(found) => format!("expected the code of a lint, found `{found}`"),
        Err(_) => "`allow` names no lint".to_owned(),
    };
    report.error("malformed-argument", &place, message).help(EXAMPLE);
    None
}

fn find(code: &str, place: &Place, report: &mut Report) -> Option<&'static Lint> {
    let lint = lint::find(code);
    if lint.is_none() {
        let diagnostic = report.error("bad-allow", place, format!("`{code}` names no lint"));
        match suggest::closest(code, lint::registry().iter().map(|lint| lint.code)) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")),
            None => diagnostic.help("the code stands in the last line of the finding"),
        };
    }
    lint
}

fn reason(code: &str, place: &Place, content: ParseStream<'_>, report: &mut Report) -> Option<String> {
    let help = format!("`allow({code}, reason = \"why it does not apply here\")`");
    if content.is_empty() {
        report.error("bad-allow", place, format!("`allow({code})` gives no reason")).help(help);
        return None;
    }
    let place = Place::at(content.span());
    let comma = content.parse::<Token![,]>().is_ok();
    if comma && content.is_empty() {
        report.error("bad-allow", &place, format!("`allow({code})` gives no reason")).help(help);
        return None;
    }
    let place = Place::at(content.span());
    let is_reason = comma
        && content.call(Ident::parse_any).is_ok_and(|word| word == "reason")
        && content.parse::<Token![=]>().is_ok();
    let literal = if is_reason { content.parse::<LitStr>().ok() } else { None };
    let Some(literal) = literal else {
        report
            .error("malformed-argument", &place, "expected `reason = \"…\"` after the lint")
            .help(help)
            .note("one `allow` silences one lint");
        return None;
    };
    let text = literal.value();
    if text.trim().is_empty() {
        report.error("bad-allow", &Place::at(literal.span()), "the reason is empty").help(help);
        return None;
    }
    Some(text)
}
