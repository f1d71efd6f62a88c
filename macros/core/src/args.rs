//! The arguments of the attribute, each with the tokens it came from.

mod allow;
mod name;
mod outcome;
mod policy;
mod source;
mod value;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{Expr, ExprPath, Token, TypePath};

pub use self::allow::Allow;
pub(crate) use self::name::{NAMES, OperationName, is_operation_name};
pub(crate) use self::outcome::Version;
pub(crate) use self::policy::{Completed, InProgress, Mode, OnCrash, OnExpired, OnStoreError, Scope};
pub(crate) use self::source::{Link, Sources};
pub(crate) use self::value::Duration;
use crate::diagnostic::Place;
use crate::key::Source;
use crate::report::Report;
use crate::suggest;

/// An argument as it was given.
#[derive(Clone, Debug)]
pub(crate) struct Argument<T> {
    /// Which argument it is, from one: findings are shown in this order.
    pub(crate) index: usize,
    /// The value as text, for a message about a second one.
    shown: String,
    /// `None` if the value was wrong, which is reported already.
    pub(crate) value: Option<T>,
}

/// All arguments.
#[derive(Debug, Default)]
pub(crate) struct Args {
    pub(crate) key: Option<Argument<Source>>,
    pub(crate) validate: Option<Argument<Source>>,
    pub(crate) ignore: Option<Argument<Vec<Ident>>>,
    pub(crate) ttl: Option<Argument<Duration>>,
    pub(crate) op: Option<Argument<OperationName>>,
    pub(crate) lease: Option<Argument<Duration>>,
    pub(crate) deadline: Option<Argument<Expr>>,
    pub(crate) in_progress: Option<Argument<InProgress>>,
    pub(crate) completed: Option<Argument<Completed>>,
    pub(crate) replayed: Option<Argument<ExprPath>>,
    pub(crate) on_crash: Option<Argument<OnCrash>>,
    pub(crate) on_expired: Option<Argument<OnExpired>>,
    pub(crate) tombstone: Option<Argument<Duration>>,
    pub(crate) effect_timeout: Option<Argument<Duration>>,
    pub(crate) on_store_error: Option<Argument<OnStoreError>>,
    pub(crate) mode: Option<Argument<Mode>>,
    pub(crate) store: Option<Argument<Expr>>,
    pub(crate) source: Option<Argument<Sources>>,
    pub(crate) version: Option<Argument<Version>>,
    pub(crate) migrate: Option<Argument<ExprPath>>,
    pub(crate) codec: Option<Argument<TypePath>>,
    pub(crate) reconcile: Option<Argument<Expr>>,
    pub(crate) detached: Option<Argument<Span>>,
    pub(crate) scope: Option<Argument<Scope>>,
    pub(crate) allow: Vec<Allow>,
    pub(crate) krate: Option<Argument<syn::Path>>,
    /// Required arguments that a misspelled one was meant to be.
    meant: Vec<&'static str>,
}

impl Args {
    /// Reads all arguments; reports those that are wrong, given twice, or missing.
    ///
    /// `ttl` is not missing if the package has a default one.
    pub(crate) fn parse(tokens: TokenStream, has_default_ttl: bool, report: &mut Report) -> Self {
        let mut args = Self::default();
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                report.next_argument();
                args.parse_one(input, report);
                if !value::at_argument(input) {
                    value::skip_to_comma(input);
                    input.parse::<Option<Token![,]>>()?;
                }
            }
            Ok(())
        };
        // The parser itself does not fail: what it cannot read it reports and skips.
        parser.parse2(tokens).unwrap_or_default();
        report.return_to(0);
        args.report_missing(has_default_ttl, report);
        args
    }

    fn parse_one(&mut self, input: ParseStream<'_>, report: &mut Report) {
        let Ok(name) = input.call(Ident::parse_any) else {
            self.meant.extend(report_no_name(input, report));
            return;
        };
        let before = report.len();
        match name.unraw().to_string().as_str() {
            "key" => set(&mut self.key, &name, input, report, value::source),
            "validate" => set(&mut self.validate, &name, input, report, value::source),
            "ignore" => set(&mut self.ignore, &name, input, report, value::ignore),
            "ttl" => set(&mut self.ttl, &name, input, report, value::duration),
            "op" => set(&mut self.op, &name, input, report, name::operation_name),
            "lease" => set(&mut self.lease, &name, input, report, value::duration),
            "deadline" => set(&mut self.deadline, &name, input, report, value::expression),
            "in_progress" => set(&mut self.in_progress, &name, input, report, policy::in_progress),
            "completed" => set(&mut self.completed, &name, input, report, policy::completed),
            "replayed" => set(&mut self.replayed, &name, input, report, value::path_expression),
            "on_crash" => set(&mut self.on_crash, &name, input, report, policy::on_crash),
            "on_expired" => set(&mut self.on_expired, &name, input, report, policy::on_expired),
            "tombstone" => set(&mut self.tombstone, &name, input, report, value::duration),
            "effect_timeout" => set(&mut self.effect_timeout, &name, input, report, value::duration),
            "on_store_error" => set(&mut self.on_store_error, &name, input, report, policy::on_store_error),
            "mode" => set(&mut self.mode, &name, input, report, policy::mode),
            "store" => set(&mut self.store, &name, input, report, value::expression),
            "source" => set(&mut self.source, &name, input, report, source::sources),
            "version" => set(&mut self.version, &name, input, report, outcome::version),
            "migrate" => set(&mut self.migrate, &name, input, report, value::path_expression),
            "codec" => set(&mut self.codec, &name, input, report, outcome::codec),
            "reconcile" => set(&mut self.reconcile, &name, input, report, outcome::reconcile),
            "detached" => set(&mut self.detached, &name, input, report, outcome::detached),
            "scope" => set(&mut self.scope, &name, input, report, policy::scope),
            "allow" => self.allow.extend(allow::allow(&name, input, report)),
            "crate" => set(&mut self.krate, &name, input, report, value::crate_path),
            other => self.meant.extend(report_unknown(&name, other, report)),
        }
        if report.len() == before && !input.is_empty() && !input.peek(Token![,]) {
            let place = Place::at(input.span());
            report
                .error("malformed-argument", &place, "expected `,` between two arguments")
                .help("`key = \"order_no\", ttl = \"7d\"`");
        }
    }

    fn report_missing(&self, has_default_ttl: bool, report: &mut Report) {
        // Nothing else stands for what is not there.
        let place = Place::at(Span::call_site());
        if self.key.is_none() && !self.meant.contains(&"key") {
            report
                .error("missing-argument", &place, "missing `key`")
                .help("`key = \"tenant_id + op + order_no\"`, from arguments that name one business request");
        }
        if self.ttl.is_none() && !has_default_ttl && !self.meant.contains(&"ttl") {
            report
                .error("missing-argument", &place, "missing `ttl`")
                .help("`ttl = \"7d\"`, longer than any retry can come late");
        }
    }
}

/// Reads a value into its slot, once.
fn set<T>(
    slot: &mut Option<Argument<T>>,
    name: &Ident,
    input: ParseStream<'_>,
    report: &mut Report,
    read: fn(&Ident, ParseStream<'_>, &mut Report) -> Option<T>,
) {
    let shown = value::shown(input);
    if let Some(first) = slot {
        report
            .error("duplicate-argument", &Place::at(name.span()), format!("`{name}` is given twice"))
            .help("remove one of them")
            .note(format!("the first is `{name}{}`", first.shown));
        value::skip_to_comma(input);
        return;
    }
    let value = read(name, input, report);
    *slot = Some(Argument { index: report.argument(), shown, value });
}

/// Reports something that begins no argument; the answer is what it was meant to be.
fn report_no_name(input: ParseStream<'_>, report: &mut Report) -> Option<&'static str> {
    let token = input.fork().parse::<TokenTree>();
    let place = token.as_ref().map_or_else(|_| Place::at(input.span()), Place::of);
    let found = token.map(|token| token.to_string()).unwrap_or_default();
    let diagnostic =
        report.error("malformed-argument", &place, format!("expected `name = value`, found `{found}`"));
    if found.starts_with('"') {
        diagnostic.help(format!("`key = {found}`"));
        return Some("key");
    }
    diagnostic.note(format!("arguments are {}", suggest::list(KNOWN)));
    None
}

/// Reports an unknown name; the answer is what it was meant to be.
fn report_unknown(name: &Ident, text: &str, report: &mut Report) -> Option<&'static str> {
    let place = Place::at(name.span());
    let diagnostic = report.error("unknown-attribute-argument", &place, format!("unknown argument `{text}`"));
    let other = OTHER_NAMES.iter().find(|(name, _)| *name == text).map(|(_, meant)| *meant);
    let meant = other.or_else(|| suggest::closest(text, KNOWN));
    if let Some(meant) = meant {
        diagnostic.help(format!("did you mean `{meant}`?"));
    }
    diagnostic.note(format!("arguments are {}", suggest::list(KNOWN)));
    meant
}

/// What this version understands, in the order of the reference page.
const KNOWN: [&str; 26] = [
    "key",
    "validate",
    "ignore",
    "ttl",
    "op",
    "lease",
    "deadline",
    "in_progress",
    "completed",
    "replayed",
    "on_crash",
    "on_expired",
    "tombstone",
    "on_store_error",
    "mode",
    "store",
    "source",
    "version",
    "migrate",
    "codec",
    "reconcile",
    "effect_timeout",
    "detached",
    "scope",
    "allow",
    "crate",
];

/// What the same thing is called elsewhere.
const OTHER_NAMES: [(&str, &str); 12] = [
    ("name", "op"),
    ("operation", "op"),
    ("expires", "ttl"),
    ("expiry", "ttl"),
    ("retention", "ttl"),
    ("timeout", "lease"),
    ("conflict", "in_progress"),
    ("payload", "validate"),
    ("probe", "reconcile"),
    ("encoding", "codec"),
    ("spawn", "detached"),
    ("detach", "detached"),
];

/// A value parsed by syn, with its error turned into ours.
fn parse_or_report<T: Parse>(
    input: ParseStream<'_>,
    name: &Ident,
    expected: &str,
    example: &str,
    report: &mut Report,
) -> Option<T> {
    let fork = input.fork();
    let place = Place::at(input.span());
    if let Ok(value) = fork.parse() {
        input.advance_to(&fork);
        return Some(value);
    }
    let place = if input.is_empty() { Place::at(name.span()) } else { place };
    report
        .error("malformed-argument", &place, format!("`{name}` needs {expected}"))
        .help(format!("`{example}`"));
    None
}
