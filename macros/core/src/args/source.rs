//! `source = sns + sqs(retention = "14d")`

use proc_macro2::{Ident, Span, TokenTree};
use syn::Token;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;

use super::value::{
    Duration, at_end, duration_value, equals, parenthesized, report_no_value, skip_to_comma, skip_to_end,
};
use crate::diagnostic::Place;
use crate::lint::windows::{self, Setting, Source};
use crate::report::Report;
use crate::suggest;
use crate::ttl;

/// Where duplicates come from, in the order in which a message passes.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    pub(crate) links: Vec<Link>,
    pub(crate) place: Place,
}

/// One source of a chain.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) source: &'static Source,
    pub(crate) span: Span,
    /// What is set in parentheses, in milliseconds.
    pub(crate) settings: Vec<(Setting, u64, Span)>,
    /// `sqs(..)` of `pipes(sqs(..))`
    pub(crate) inner: Vec<Self>,
}

impl Link {
    pub(crate) fn setting(&self, wanted: Setting) -> Option<u64> {
        self.settings.iter().find(|(setting, ..)| *setting == wanted).map(|(_, value, _)| *value)
    }
}

/// `source = sqs(retention = "14d", dlq = "14d", visibility = "60s")`
pub(super) fn sources(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Sources> {
    equals(name, input, report)?;
    if input.is_empty() || input.peek(Token![,]) {
        report_no_value(name, report);
        return None;
    }
    let start = input.span();
    let links = chain(name, input, report);
    if links.is_none() {
        skip_to_comma(input);
    }
    let links = links?;
    let last = links.last().map_or(start, |link| link.span);
    Some(Sources { links, place: Place::at(start).to(&Place::at(last)) })
}

fn chain(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Vec<Link>> {
    let mut links = vec![link(name, input, report)?];
    while !at_end(input) {
        let place = Place::at(input.span());
        if input.parse::<Token![+]>().is_err() {
            report
                .error("malformed-argument", &place, "sources are joined with `+`")
                .help("`source = sns + sqs(retention = \"14d\")`");
            return None;
        }
        let next = link(name, input, report)?;
        if let Some(before) = links.last() {
            check_order(before, &next, report)?;
        }
        links.push(next);
    }
    Some(links)
}

fn link(name: &Ident, input: ParseStream<'_>, report: &mut Report) -> Option<Link> {
    let Ok(word) = input.call(Ident::parse_any) else {
        let found = input.fork().parse::<TokenTree>();
        let place = found.as_ref().map_or_else(|_| Place::at(name.span()), Place::of);
        let found = found.map(|found| found.to_string()).unwrap_or_default();
        report
            .error("malformed-argument", &place, format!("expected a source, found `{found}`"))
            .help("`source = sqs(retention = \"14d\")`")
            .note(format!("sources are {}", suggest::list(windows::names())));
        return None;
    };
    let text = word.to_string();
    let Some(source) = windows::find(&text) else {
        let place = Place::at(word.span());
        let diagnostic = report.error("malformed-argument", &place, format!("unknown source `{text}`"));
        if let Some(meant) = suggest::closest(&text, windows::names()) {
            diagnostic.help(format!("did you mean `{meant}`?"));
        }
        diagnostic.note(format!("sources are {}", suggest::list(windows::names())));
        return None;
    };
    let mut link = Link { source, span: word.span(), settings: Vec::new(), inner: Vec::new() };
    if let Ok(content) = parenthesized(input) {
        let content: ParseStream<'_> = &content;
        let read = if source.wraps() {
            wrapped(name, &mut link, content, report)
        } else {
            settings(&mut link, content, report)
        };
        skip_to_end(content);
        read?;
    } else if source.wraps() {
        report
            .error(
                "malformed-argument",
                &Place::at(word.span()),
                format!("`{text}` needs the source it reads"),
            )
            .help(format!("`source = {text}(sqs(retention = \"14d\"))`"));
        return None;
    }
    Some(link)
}

fn wrapped(name: &Ident, link: &mut Link, content: ParseStream<'_>, report: &mut Report) -> Option<()> {
    link.inner = chain(name, content, report)?;
    Some(())
}

/// `retention = "14d", dlq = "14d"`
fn settings(link: &mut Link, content: ParseStream<'_>, report: &mut Report) -> Option<()> {
    while !content.is_empty() {
        let place = Place::at(content.span());
        let Ok(word) = content.call(Ident::parse_any) else {
            report
                .error(
                    "malformed-argument",
                    &place,
                    format!("`{}` takes `name = \"duration\"`", link.source.name),
                )
                .help(format!("`{}`", link.source.example()));
            return None;
        };
        let text = word.to_string();
        let Some(setting) = link.source.settings.iter().copied().find(|setting| setting.name() == text)
        else {
            report_unknown_setting(link.source, &word, report);
            return None;
        };
        if link.setting(setting).is_some() {
            report
                .error("duplicate-argument", &Place::at(word.span()), format!("`{text}` is given twice"))
                .help("remove one of them");
            return None;
        }
        if content.parse::<Token![=]>().is_err() {
            report
                .error("malformed-argument", &Place::at(word.span()), format!("`{text}` needs a duration"))
                .help(format!("`{text} = \"14d\"`"));
            return None;
        }
        let place = Place::at(content.span());
        match duration_value(&word, content, report)? {
            Duration::Milliseconds { value, span } => {
                check_limit(link.source, setting, value, span, report)?;
                link.settings.push((setting, value, span));
            }
            Duration::Expression(_) => {
                report
                    .error("malformed-argument", &place, format!("`{text}` needs a duration in quotes"))
                    .help(format!("`{text} = \"14d\"`"))
                    .note("the window is compared with `ttl` while this is compiled");
                return None;
            }
        }
        if !content.is_empty() && content.parse::<Token![,]>().is_err() {
            report
                .error("malformed-argument", &Place::at(content.span()), "expected `,` between two settings")
                .help(format!("`{}`", link.source.example()));
            return None;
        }
    }
    Some(())
}

fn check_limit(source: &Source, setting: Setting, value: u64, span: Span, report: &mut Report) -> Option<()> {
    let above = source.longest(setting).filter(|longest| value > *longest);
    let below = source.shortest(setting).filter(|shortest| value < *shortest);
    let (limit, or, at) = match (above, below) {
        (Some(longest), _) => (longest, "less", "most"),
        (None, Some(shortest)) => (shortest, "more", "least"),
        (None, None) => return Some(()),
    };
    let (name, limit) = (setting.name(), ttl::short(limit));
    let message = format!("`{}` has no `{name}` of {}", source.name, ttl::short(value));
    report
        .error("bad-source", &Place::at(span), message)
        .help(format!("`{name} = \"{limit}\"` or {or}"))
        .note(format!("the service takes at {at} {limit}"));
    None
}

/// A message does not pass one source twice in a row.
fn check_order(before: &Link, link: &Link, report: &mut Report) -> Option<()> {
    if before.source.name != link.source.name || before.source.wraps() {
        return Some(());
    }
    let name = link.source.name;
    let has_dlq = link.source.settings.contains(&Setting::Dlq);
    let help = if has_dlq && link.source.stated_by != Some(Setting::Dlq) {
        format!("remove one of them; a dead-letter queue is `{name}(dlq = \"14d\")`")
    } else {
        "remove one of them".to_owned()
    };
    report
        .error("bad-source", &Place::at(link.span), format!("`{name}` stands twice in a row"))
        .help(help)
        .note("a chain is what one message passes, in its order");
    None
}

fn report_unknown_setting(source: &Source, word: &Ident, report: &mut Report) {
    let names = || source.settings.iter().map(|setting| setting.name());
    let message = format!("`{}` has no `{word}`", source.name);
    let diagnostic = report.error("malformed-argument", &Place::at(word.span()), message);
    if source.settings.is_empty() {
        diagnostic.help(format!("`source = {}`", source.name));
        return;
    }
    match suggest::closest(&word.to_string(), names()) {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")),
        None => diagnostic.help(format!("`{}`", source.example())),
    };
    diagnostic.note(format!("it has {}", suggest::list(names())));
}
