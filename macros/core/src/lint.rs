//! What a badly designed key is: the lints, and the levels that the user may change.
//!
//! The attribute and the command run the same checks over the same [`Operation`]. A lint is a file with its code,
//! its level, a page of explanation (`explain/<code>.md`) and its check; the names it knows are data in `words`.

mod across;
mod body;
mod bounds;
pub(crate) mod calls;
mod delivery_counter;
mod fingerprint;
mod generic_operation;
mod key_made_inside;
mod lease;
mod missing_tenant;
mod parts;
mod per_invocation_id;
mod personal_data;
mod random_part;
mod redelivery_only_id;
mod registry;
mod resolution;
mod signature;
mod swallowed_error;
mod timestamp;
mod too_coarse;
mod trace_id;
mod types;
mod uncovered_argument;
pub(crate) mod unreconciled;
mod unstable_form;
mod whole_payload;
mod window;
pub(crate) mod windows;
pub(crate) mod words;

use self::parts::NamedPart;
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
    const fn new(
        code: &'static str,
        level: Level,
        summary: &'static str,
        explain: &'static str,
        check: fn(&Subject<'_>, &mut Report),
    ) -> Self {
        Self { code, level, hosts: Hosts::Both, summary, explain, allowable: true, check }
    }

    /// A lint that the command alone runs, over all functions at once.
    const fn of_the_command(
        code: &'static str,
        level: Level,
        summary: &'static str,
        explain: &'static str,
    ) -> Self {
        let nothing: fn(&Subject<'_>, &mut Report) = |_, _| {};
        Self { hosts: Hosts::Command, ..Self::new(code, level, summary, explain, nothing) }
    }

    /// A finding of the grammar, of the names, or of the compiler: without it there is no key.
    const fn law(code: &'static str, hosts: Hosts, summary: &'static str, explain: &'static str) -> Self {
        let nothing: fn(&Subject<'_>, &mut Report) = |_, _| {};
        Self { hosts, allowable: false, ..Self::new(code, Level::Error, summary, explain, nothing) }
    }

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

impl Host {
    /// Whether nobody else finds more of this lint: the attribute does not see what is around the function.
    fn sees_all(self, lint: &Lint) -> bool {
        self == Self::Command || lint.code != generic_operation::LINT.code
    }
}

/// What a lint looks at.
struct Subject<'a> {
    operation: &'a Operation,
    policy: &'a Policy,
    host: Host,
    /// The parts of the key that begin at an argument, with what their names say.
    parts: Vec<NamedPart<'a>>,
}

/// How far the clocks of two hosts may differ, in milliseconds: the default of the runtime.
pub(crate) const SKEW_BUDGET: u64 = 2_000;
/// The shortest lease that the runtime takes, in milliseconds: what an owner trusts of it must be worth something.
const SHORTEST_LEASE: u64 = 2 * SKEW_BUDGET;
/// The lease of an operation that gives none and has no source to derive it from, in milliseconds.
pub(crate) const DEFAULT_LEASE: u64 = 30_000;

/// The lint of that code.
pub fn find(code: &str) -> Option<&'static Lint> {
    registry().iter().find(|lint| lint.code == code)
}

/// Runs all lints over one operation; levels and `allow(..)` are applied.
pub fn run(operation: &Operation, policy: &Policy, host: Host, report: &mut Report) {
    let parts = parts::named(operation, policy);
    let subject = Subject { operation, policy, host, parts };
    let mut found = Report::new();
    for lint in registry().iter().filter(|lint| lint.hosts == Hosts::Both) {
        (lint.check)(&subject, &mut found);
    }
    let found = found.into_findings();
    for (index, allow) in operation.allows.iter().enumerate() {
        if operation.allows.iter().take(index).any(|earlier| earlier.code() == allow.code()) {
            report.return_to(allow.index);
            let message = format!("`allow({})` is given twice", allow.code());
            report.error("bad-allow", &allow.place, message).help("remove one of them");
            continue;
        }
        // The command judges those of its own lints. After a mistake a lint may have seen too little.
        let judged = allow.lint.hosts == Hosts::Both && operation.complete && host.sees_all(allow.lint);
        let silences = found.iter().any(|(_, finding)| finding.code() == allow.code());
        if judged && !silences {
            report.return_to(allow.index);
            report_idle(allow.code(), &allow.place, report);
        }
    }
    unreconciled::check_allow(operation, report);
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
pub fn settle(finding: Diagnostic, operation: &Operation, policy: &Policy) -> Option<Diagnostic> {
    let code = finding.code();
    let allowed = operation.allows.iter().any(|allow| allow.code() == code);
    if allowed { None } else { settle_by_policy(finding, policy) }
}

/// A finding of a lint that only the command can check; `None` if the policy or one of the operations that it is
/// about silences it, or if no lint has that code.
pub fn found_by_command<'a>(
    code: &str,
    message: &str,
    operations: impl IntoIterator<Item = &'a Operation>,
    policy: &Policy,
) -> Option<Diagnostic> {
    let lint = find(code)?;
    if operations.into_iter().any(|operation| operation.allows.iter().any(|allow| allow.code() == code)) {
        return None;
    }
    settle_by_policy(Diagnostic::lint(lint, &Place::at(proc_macro2::Span::call_site()), message), policy)
}

/// Whether a function of this path, `Uuid::new_v4` or `now`, makes another value each time: an id or a clock value.
pub fn makes_new_value(path: &str) -> bool {
    calls::calls_one_of(path, words::calls::GENERATORS) || calls::calls_one_of(path, words::calls::CLOCKS)
}

fn settle_by_policy(mut finding: Diagnostic, policy: &Policy) -> Option<Diagnostic> {
    let code = finding.code();
    if policy.allow.iter().any(|allowed| allowed == code) {
        return None;
    }
    if policy.deny_warnings || policy.deny.iter().any(|denied| denied == code) {
        finding.set_level(Level::Error);
    }
    Some(finding)
}
