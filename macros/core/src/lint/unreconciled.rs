//! `unknown-without-reconcile`: the compiler finds it, since the error type says it; here are its level and its page.

use super::{Hosts, Lint, report_idle};
use crate::args::OnCrash;
use crate::diagnostic::Level;
use crate::operation::Operation;
use crate::policy::Policy;
use crate::report::Report;

pub(super) const LINT: Lint = Lint {
    hosts: Hosts::Compiler,
    ..Lint::new(
        "unknown-without-reconcile",
        Level::Warning,
        "an error can leave the outcome unknown, and nothing finds out",
        include_str!("explain/unknown-without-reconcile.md"),
        |_, _| {},
    )
};

/// At which level the compiler shall find it; `None` if it shall not look.
pub(crate) fn level(operation: &Operation, policy: &Policy) -> Option<Level> {
    let allowed = operation.allows.iter().any(|allow| allow.code() == LINT.code)
        || policy.allow.iter().any(|allowed| allowed == LINT.code);
    if allowed || is_settled(operation) {
        return None;
    }
    let denied = policy.deny_warnings || policy.deny.iter().any(|denied| denied == LINT.code);
    Some(if denied { Level::Error } else { LINT.level })
}

/// Whether somebody finds out: a probe, or a person where the key is held after a crash. An observed operation holds
/// nothing.
fn is_settled(operation: &Operation) -> bool {
    operation.reconcile.is_some()
        || matches!(operation.on_crash, Some(OnCrash::Hold(_)))
        || matches!(operation.mode, Some(crate::args::Mode::Observe(_)))
}

/// Reports an `allow` of it beside what settles it.
pub(super) fn check_allow(operation: &Operation, report: &mut Report) {
    let Some(allow) = operation.allows.iter().find(|allow| allow.code() == LINT.code) else { return };
    if is_settled(operation) {
        report.return_to(allow.index);
        report_idle(allow.code(), &allow.place, report);
    }
}
