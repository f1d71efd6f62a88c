//! What a badly designed key is: the lints, and the levels that the user may change.
//!
//! The attribute and the command run the same checks over the same [`Operation`]. A lint is a file with its code,
//! its level, a page of explanation (`explain/<code>.md`) and its check; the names it knows are data in `words`.

mod registry;
pub(crate) mod windows;
pub(crate) mod words;

use crate::diagnostic::{Diagnostic, Level, Place};
use crate::operation::Operation;
use crate::policy::Policy;
use crate::report::Report;

pub use self::registry::registry;

/// One kind of bad design.
#[derive(Debug)]
#[non_exhaustive]
pub struct Lint {
    /// The stable, kebab-case name.
    pub code: &'static str,
    /// The level of its findings; some forms of an error are only warned about.
    pub level: Level,
    /// Who can find it.
    pub hosts: Hosts,
    /// One line: when it fires.
    pub summary: &'static str,
    /// The page about it, in markdown, with a bad and a good example.
    pub explain: &'static str,
    /// Whether `allow(..)` silences it.
    allowable: bool,
    check: fn(&Subject<'_>, &mut Report),
}

impl Lint {
    /// Whether `allow(code, reason = "…")` and the `allow` of the policy silence it.
    pub fn can_be_allowed(&self) -> bool {
        self.allowable
    }
}

/// Who can find something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hosts {
    /// The attribute and the command.
    Both,
    /// The command, which sees more than one function.
    Command,
    /// The compiler, which knows types.
    Compiler,
}

/// Who runs the lints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Host {
    /// The attribute: the compiler follows, and says more about types.
    Macro,
    /// `cargo idempotent`.
    Command,
}

/// What a lint looks at.
pub(crate) struct Subject<'a> {
    pub(crate) operation: &'a Operation,
    pub(crate) policy: &'a Policy,
    pub(crate) host: Host,
}

/// How far the clocks of two hosts may differ, in milliseconds: the default of the runtime.
pub(crate) const SKEW_BUDGET: u64 = 2_000;

/// The lint of that code.
pub fn find(code: &str) -> Option<&'static Lint> {
    registry().iter().find(|lint| lint.code == code)
}

/// Runs all lints over one operation; levels and `allow(..)` are applied.
pub fn run(operation: &Operation, policy: &Policy, host: Host, report: &mut Report) {
    let subject = Subject { operation, policy, host };
    let mut found = Report::new();
    for lint in registry().iter().filter(|lint| lint.hosts == Hosts::Both) {
        (lint.check)(&subject, &mut found);
    }
    let found = found.into_findings();
    for allow in &operation.allows {
        // The command judges those of its own lints. After a mistake a lint may have seen too little.
        let judged = allow.lint.hosts == Hosts::Both && operation.complete;
        let silences = found.iter().any(|(_, finding)| finding.code() == allow.code());
        if judged && !silences {
            report.return_to(allow.index);
            report_idle(allow.code(), &allow.place, report);
        }
    }
    for (argument, finding) in found {
        if let Some(finding) = settle(finding, operation, policy) {
            report.push(argument, finding);
        }
    }
}

/// Reports an `allow(..)` that silences nothing.
pub fn report_idle(code: &str, place: &Place, report: &mut Report) {
    report
        .error("bad-allow", place, format!("`allow({code})` silences nothing"))
        .help("remove it")
        .note("the lint finds nothing here; what is no longer needed would hide the next finding");
}

/// The finding at the level that the policy gives it; `None` if the policy or the operation silences it.
pub fn settle(mut finding: Diagnostic, operation: &Operation, policy: &Policy) -> Option<Diagnostic> {
    let code = finding.code();
    let allowed = operation.allows.iter().any(|allow| allow.code() == code);
    if allowed || policy.allow.iter().any(|allowed| allowed == code) {
        return None;
    }
    if policy.deny_warnings || policy.deny.iter().any(|denied| denied == code) {
        finding.set_level(Level::Error);
    }
    Some(finding)
}
