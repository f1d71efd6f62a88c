//! Grammar, resolution, reports and expansion of the `idempotent` attribute, of `derive(KeyPart)` and of
//! `derive(Classify)`.
//!
//! An ordinary library: the macro crate is a shim over it, and tools that read source files use the same
//! grammar through [`check`]. It is an implementation detail of `idempotency` and exempt from semver.
//!
//! The way of an attribute: tokens become arguments, the item becomes a function, both are
//! resolved against each other into an [`Operation`], and only an [`Operation`] is expanded. Every mistake on
//! the way goes to a [`Report`]; with one in it the user's function is emitted as it was written.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod args;
mod derive_classify;
mod derive_key_part;
mod diagnostic;
mod expand;
mod fallback;
mod function;
mod key;
mod krate;
pub mod lint;
mod literal;
mod mistakes;
mod operation;
mod policy;
mod report;
mod suggest;
mod ttl;

use proc_macro2::TokenStream;

pub use self::args::Allow;
pub use self::diagnostic::{Diagnostic, Level, Place, Underline};
pub use self::lint::{Host, Lint};
pub use self::literal::TextLiteral;
pub use self::mistakes::{MISTAKES, Mistake};
pub use self::operation::{Operation, PartInfo, Window};
pub use self::policy::{Policy, PolicyError};
pub use self::report::Report;

/// Expands `#[idempotent(args)] item`, under the policy of the package that is being compiled.
///
/// With mistakes in either, the result is the item as it was written, followed by one `compile_error!` each. Mistakes
/// in the policy are reported once per compilation.
pub fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    match policy::of_package() {
        Ok(policy) => expand_with(args, item, &policy),
        Err(policy::NoPolicy::Bad(errors)) => {
            let mut report = Report::new();
            for error in &errors {
                report_policy(error, &mut report);
            }
            fallback::item_with_errors(item, &report.into_diagnostics())
        }
        Err(policy::NoPolicy::Reported) => fallback::item_with_errors(item, &[]),
    }
}

/// The same under that policy.
pub fn expand_with(args: TokenStream, item: TokenStream, policy: &Policy) -> TokenStream {
    let mut report = Report::new();
    let operation = resolve(args, item.clone(), policy, &mut report);
    if let Some(operation) = &operation {
        lint::run(operation, policy, Host::Macro, &mut report);
    } else if report.is_empty() {
        // Without an error the build would go on, and the function would run unprotected.
        let place = Place::at(proc_macro2::Span::call_site());
        report.error("internal", &place, "the attribute could not be read").note("please report this");
    }
    // About a refused part the compiler would repeat what is said already. Other findings of lints do not hide what
    // it says.
    let expands = operation
        .as_ref()
        .is_some_and(|operation| operation.is_complete() && !report.spoils(operation.positions.key));
    let diagnostics = report.into_diagnostics();
    match operation {
        Some(operation) if expands => {
            let (errors, warnings): (Vec<Diagnostic>, Vec<Diagnostic>) =
                diagnostics.into_iter().partition(|diagnostic| diagnostic.level() == Level::Error);
            fallback::item_with_errors(expand::expand(&operation, policy, &warnings), &errors)
        }
        _ => fallback::item_with_errors(item, &diagnostics),
    }
}

fn report_policy(error: &PolicyError, report: &mut Report) {
    let place = Place::at(proc_macro2::Span::call_site());
    let diagnostic = report.error("bad-policy", &place, format!("{error} in the policy of this package"));
    diagnostic.help(error.help.clone());
    diagnostic.note(format!("it stands in `{}` at {}:{}", policy::TABLE, error.file, error.line));
}

/// Expands `#[derive(KeyPart)] input`.
pub fn derive_key_part(input: TokenStream) -> TokenStream {
    derive_key_part::derive(input)
}

/// Expands `#[derive(Classify)] input`.
pub fn derive_classify(input: TokenStream) -> TokenStream {
    derive_classify::derive(input)
}

/// Everything that is wrong with `#[idempotent(args)] item`, without expanding it.
pub fn check(args: TokenStream, item: TokenStream, policy: &Policy, host: Host) -> Report {
    let mut report = Report::new();
    if let Some(operation) = resolve(args, item, policy, &mut report) {
        lint::run(&operation, policy, host, &mut report);
    }
    report
}

/// Reads the attribute and the function, and resolves one against the other.
///
/// `None` only if something was reported; something may be reported with an operation as well.
pub fn resolve(
    args: TokenStream,
    item: TokenStream,
    policy: &Policy,
    report: &mut Report,
) -> Option<Operation> {
    let args = args::Args::parse(args, policy.default_ttl.is_some(), report);
    report.at_item();
    let function = function::Function::parse(item, report);
    Operation::resolve(args, function?, policy, report)
}
