//! Runs the lints over an attribute and a function given as text.

use idempotency_macros_core::{Diagnostic, Host, Level, Policy};

/// All findings.
pub(crate) fn diagnostics(args: &str, item: &str, policy: &Policy, host: Host) -> Vec<Diagnostic> {
    let args = args.parse().unwrap_or_else(|error| panic!("{args}: {error}"));
    let item = item.parse().unwrap_or_else(|error| panic!("{item}: {error}"));
    idempotency_macros_core::check(args, item, policy, host).into_diagnostics()
}

/// Code and level of all findings, under `policy`.
pub(crate) fn codes_under(policy: &Policy, args: &str, item: &str) -> Vec<(&'static str, Level)> {
    let found = diagnostics(args, item, policy, Host::Macro);
    found.iter().map(|finding| (finding.code(), finding.level())).collect()
}

/// Code and level of all findings.
pub(crate) fn codes(args: &str, item: &str) -> Vec<(&'static str, Level)> {
    codes_under(&Policy::default(), args, item)
}

/// The policy of this table.
pub(crate) fn policy(table: &str) -> Policy {
    let text = format!("[package]\nname = \"x\"\n[package.metadata.idempotency]\n{table}");
    Policy::parse(&text, "Cargo.toml").unwrap_or_else(|error| panic!("{table}: {error}"))
}
