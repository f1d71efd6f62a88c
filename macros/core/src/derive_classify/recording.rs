//! What is recorded of an error type: its terminal errors, and never the error of the call itself.

use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, DeriveInput, Field, Fields, Meta, Token, Type, Variant};

use super::read::{Class, Given};
use crate::diagnostic::Place;
use crate::report::Report;

const SKIPS: [&str; 3] = ["skip", "skip_serializing", "skip_deserializing"];

/// Reports a class that cannot be that of what is inside, and a terminal variant that serde skips.
pub(super) fn check(variant: &Variant, given: &Given, is_own: bool, report: &mut Report) {
    let is_terminal = given.class == Class::Terminal;
    if holds_the_call(&variant.fields) && (is_terminal || !is_own) {
        report_call(variant, given, is_own, report);
    } else if let Some((option, span)) = is_terminal.then(|| skip(&variant.attrs)).flatten() {
        let message =
            format!("`{}` is terminal, which is recorded, and `{option}` leaves it out", variant.ident);
        let help = "remove it; or give the variant another class: `#[retryable]`, `#[unknown]` or `#[inner]`";
        report.error("bad-class", &Place::at(span), message).help(help);
    }
}

/// The same of a struct.
pub(super) fn check_struct(fields: &Fields, given: &Given, report: &mut Report) {
    if given.class == Class::Terminal && holds_the_call(fields) {
        let message = "the error of a call is never terminal: it does not say what happened";
        report
            .error("bad-class", &Place::at(given.span), message)
            .help("`#[inner]`: the class of that error");
    }
}

/// Reports a variant that serde would have to write although nothing can: beside terminal ones it does.
pub(super) fn check_skipped(input: &DeriveInput, variant: &Variant, report: &mut Report) {
    let by_hand = ["from", "into", "try_from", "remote"];
    let with = ["with", "serialize_with", "deserialize_with"];
    let [one] = &*variant.fields.iter().collect::<Vec<&Field>>() else { return };
    let is_written_otherwise = has(&input.attrs, &by_hand)
        || has(&variant.attrs, &with)
        || has(&one.attrs, &with)
        || has(&one.attrs, &SKIPS);
    if !holds_the_call(&variant.fields) || is_skipped(&variant.attrs) || is_written_otherwise {
        return;
    }
    let message = format!("`{}` holds an `idempotency::Error`, which serde cannot write", variant.ident);
    report
        .error("bad-class", &Place::at(variant.ident.span()), message)
        .help("write `#[serde(skip)]` above it")
        .note("the type has terminal errors, which are recorded: it derives `serde::Serialize` and `serde::Deserialize`");
}

fn report_call(variant: &Variant, given: &Given, is_own: bool, report: &mut Report) {
    let name = &variant.ident;
    let (place, message) = if is_own {
        (given.span, "the error of a call is never terminal: it does not say what happened".to_owned())
    } else {
        (name.span(), format!("`{name}` holds an `idempotency::Error`, which has classes of its own"))
    };
    let diagnostic = report.error("bad-class", &Place::at(place), message);
    diagnostic.help(match (given.class, is_own) {
        (Class::Terminal, false) if !is_skipped(&variant.attrs) => {
            "write `#[inner]` and `#[serde(skip)]` above it"
        }
        (_, false) => "write `#[inner]` above it",
        _ => "`#[inner]`: the class of that error",
    });
    if !is_own {
        diagnostic
            .note("the class of the type is not taken: the outcome of another operation may be unknown");
    }
}

/// Whether the only field is written as an `idempotency::Error`.
fn holds_the_call(fields: &Fields) -> bool {
    let mut fields = fields.iter();
    let (Some(field), None) = (fields.next(), fields.next()) else { return false };
    let Type::Path(path) = &field.ty else { return false };
    let mut segments = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
    segments.next().is_some_and(|last| last == "Error")
        && segments.next().is_some_and(|before| before == "idempotency")
}

/// The first option of serde that leaves the variant out.
fn skip(attributes: &[Attribute]) -> Option<(&'static str, Span)> {
    let mut options = options(attributes).into_iter();
    options.find_map(|option| {
        let name = SKIPS.into_iter().find(|skip| option.path().is_ident(skip))?;
        Some((name, option.span()))
    })
}

/// Whether serde neither writes nor reads it.
fn is_skipped(attributes: &[Attribute]) -> bool {
    has(attributes, &["skip"])
        || (has(attributes, &["skip_serializing"]) && has(attributes, &["skip_deserializing"]))
}

fn has(attributes: &[Attribute], names: &[&str]) -> bool {
    options(attributes).iter().any(|option| names.iter().any(|name| option.path().is_ident(name)))
}

/// What stands in `#[serde(..)]`. What serde cannot read, serde reports.
fn options(attributes: &[Attribute]) -> Vec<Meta> {
    let serde = attributes.iter().filter(|attribute| attribute.path().is_ident("serde"));
    serde
        .filter_map(|attribute| {
            attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()
        })
        .flatten()
        .collect()
}
