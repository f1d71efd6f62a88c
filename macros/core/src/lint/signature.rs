//! `not-a-result` and `unsupported-function`: found while the function is read; the pages about it, and the types
//! that are certainly no `Result`.

use syn::Type;

use super::{Hosts, Lint, Subject, types};
use crate::diagnostic::{Level, Place};
use crate::report::Report;

pub(super) const NOT_A_RESULT: Lint = Lint {
    allowable: false,
    ..Lint::new(
        "not-a-result",
        Level::Error,
        "the function returns no `Result`",
        include_str!("explain/not-a-result.md"),
        check,
    )
};

pub(super) const UNSUPPORTED_FUNCTION: Lint = Lint::law(
    "unsupported-function",
    Hosts::Both,
    "the function is not async, or is `const`, `unsafe` or `extern`",
    include_str!("explain/unsupported-function.md"),
);

fn check(subject: &Subject<'_>, report: &mut Report) {
    let output = subject.operation.output();
    if !is_no_result(output) {
        return;
    }
    let name = subject.operation.function_name();
    report.at_item();
    report
        .lint(&NOT_A_RESULT, &Place::of(output), format!("`{name}` returns no `Result`"))
        .help("`-> Result<T, YourError>`, where `YourError: From<idempotency::Error>`")
        .note("the call itself can fail: in progress, mismatch, store not reachable");
}

/// Types that nobody's alias stands for a `Result` with.
fn is_no_result(ty: &Type) -> bool {
    match ty {
        Type::Tuple(_) | Type::Reference(_) | Type::Array(_) | Type::Slice(_) | Type::Never(_) => true,
        Type::Path(path) if path.qself.is_none() => {
            let name = types::last_segment(ty).unwrap_or_default();
            let known = ["bool", "char", "str", "String", "Option", "Vec", "Box", "HashMap", "f32", "f64"];
            let number = name.len() < 6
                && name.starts_with(['u', 'i'])
                && name.ends_with(|c: char| c.is_ascii_digit());
            number || known.contains(&name.as_str())
        }
        _ => false,
    }
}
