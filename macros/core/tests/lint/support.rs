//! Runs the lints over an attribute and a function given as text.

use idempotency_macros_core::{Diagnostic, Host, Level, MISTAKES, Policy, lint};

/// All findings.
pub(crate) fn diagnostics(args: &str, item: &str, policy: &Policy, host: Host) -> Vec<Diagnostic> {
    let args = args.parse().unwrap_or_else(|error| panic!("{args}: {error}"));
    let item = item.parse().unwrap_or_else(|error| panic!("{item}: {error}"));
    let found = idempotency_macros_core::check(args, item, policy, host).into_diagnostics();
    found.iter().for_each(assert_wording);
    found
}

/// The house rules for messages.
fn assert_wording(finding: &Diagnostic) {
    let message = finding.message();
    let code = finding.code();
    let is_known = lint::find(code).is_some() || MISTAKES.iter().any(|mistake| mistake.code == code);
    assert!(is_known, "nothing explains `{code}`");
    assert!(!message.contains('\n') && !message.ends_with('.'), "{message}");
    assert!(!message.starts_with(char::is_uppercase) && message.chars().count() <= 100, "{message}");
    assert!(finding.notes().len() <= 1 || finding.code().ends_with("argument"), "{finding}");
    assert!(finding.help_text().is_some() || finding.code() == "unknown-argument", "{finding}");
    for forbidden in ["invalid", "failed to parse", "syntax error"] {
        assert!(!message.contains(forbidden), "{message}");
    }
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
    Policy::parse(&text, "Cargo.toml").unwrap_or_else(|errors| panic!("{table}: {errors:?}"))
}
