//! The lints that see more than one function.

mod call;
mod collision;
mod effect;
mod key;
mod same_key;

use std::rc::Rc;

use idempotency_macros_core::lint::{self, Hosts};
use idempotency_macros_core::{Diagnostic, Policy, Report};

pub(crate) use self::key::{Strictness, key_changed};
use crate::annotated::Annotated;
use crate::finding::Finding;
use crate::lock::LockFile;
use crate::source::Location;
use crate::walk::Walked;

/// A finding before levels and `allow(..)`.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) code: &'static str,
    /// The annotated functions that it is about; each may allow it.
    pub(crate) about: Vec<usize>,
    /// The package whose policy rules it.
    pub(crate) package: usize,
    pub(crate) location: Location,
    pub(crate) message: String,
    pub(crate) help: String,
    pub(crate) note: String,
    pub(crate) related: Vec<(Location, String)>,
}

/// Runs all of them. What the lock file says is compared if there is one.
pub(crate) fn run(walked: &mut Walked, lock: Option<&LockFile>) -> Vec<Finding> {
    let mut drafts = collision::collisions(walked);
    drafts.extend(same_key::same_keys(walked));
    drafts.extend(effect::unprotected(walked));
    drafts.extend(call::keys_made_at_calls(walked));
    drafts.extend(lock.into_iter().flat_map(|lock| key_changed(walked, lock, Strictness::Changes)));
    let mut findings = settle(walked, &drafts);
    findings.extend(idle_allows(walked, &drafts, lock.is_some()));
    findings
}

/// The drafts that nobody allows, at the level they have for their package.
fn settle(walked: &Walked, drafts: &[Draft]) -> Vec<Finding> {
    settle_or_allow(walked, drafts).0
}

/// The same, and the drafts that somebody allows.
pub(crate) fn settle_or_allow<'a>(walked: &Walked, drafts: &'a [Draft]) -> (Vec<Finding>, Vec<&'a Draft>) {
    let (mut findings, mut allowed) = (Vec::new(), Vec::new());
    for draft in drafts {
        let operations = draft.about.iter().filter_map(|index| walked.annotated[*index].operation.as_ref());
        let policy = &walked.packages[draft.package].policy;
        match lint::found_by_command(draft.code, &draft.message, operations, policy) {
            Some(diagnostic) => findings.push(finding(draft, diagnostic)),
            None => allowed.push(draft),
        }
    }
    (findings, allowed)
}

fn finding(draft: &Draft, mut diagnostic: Diagnostic) -> Finding {
    diagnostic.help(draft.help.clone()).note(draft.note.clone());
    let mut finding = Finding::of_diagnostic(&diagnostic, &draft.location.source, &draft.location);
    if draft.about.is_empty() {
        // There is no attribute to write `allow(..)` in.
        finding.notes.pop();
        let code = draft.code;
        finding.notes.push(format!(
            "idempotency lint `{code}`; allow it with `allow = [\"{code}\"]` in `[package.metadata.idempotency]`"
        ));
    }
    finding.related.clone_from(&draft.related);
    finding
}

/// `allow(..)` of these lints that silence nothing.
fn idle_allows(walked: &Walked, drafts: &[Draft], has_lock: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, annotated) in walked.annotated.iter().enumerate() {
        let Some(operation) = &annotated.operation else { continue };
        let mut report = Report::new();
        for allow in operation.allows() {
            let is_ours = lint::find(allow.code()).is_some_and(|lint| lint.hosts == Hosts::Command);
            let is_judged = is_ours && (has_lock || allow.code() != KEY_CHANGED);
            let silences =
                drafts.iter().any(|draft| draft.code == allow.code() && draft.about.contains(&index));
            if is_judged && !silences {
                lint::report_idle(allow.code(), allow.place(), &mut report);
            }
        }
        findings.extend(report.into_diagnostics().iter().map(|diagnostic| {
            let attribute = &annotated.places.attribute;
            Finding::of_diagnostic(diagnostic, &attribute.source, attribute)
        }));
    }
    findings
}

pub(crate) const KEY_CHANGED: &str = "key-changed";

/// Annotated functions in groups that can meet, product first, each with its index.
fn groups(walked: &Walked) -> Vec<Vec<(usize, &Annotated)>> {
    let mut groups: std::collections::BTreeMap<String, Vec<(usize, &Annotated)>> =
        std::collections::BTreeMap::new();
    for (index, annotated) in walked.annotated.iter().enumerate() {
        groups.entry(annotated.group()).or_default().push((index, annotated));
    }
    groups.into_values().collect()
}

/// Whether no build holds both: their conditions contradict each other, or both are the same function in two forms.
fn exclude_each_other(a: &Annotated, b: &Annotated) -> bool {
    let (a_conditions, b_conditions) = (&a.context.conditions, &b.context.conditions);
    let contradict = a_conditions.iter().any(|one| b_conditions.iter().any(|other| contradict(one, other)));
    contradict || (!a_conditions.is_empty() && !b_conditions.is_empty() && is_same_item(a, b))
}

/// Whether two conditions of `#[cfg(…)]` cannot both hold.
fn contradict(one: &str, other: &str) -> bool {
    let negates = |a: &str, b: &str| a.strip_prefix("not(").and_then(|a| a.strip_suffix(')')) == Some(b);
    let is_family = |condition: &str| matches!(condition, "unix" | "windows");
    // A target has one value of each of these.
    let is_single = |name: &str| matches!(name, "target_os" | "target_arch" | "target_env" | "panic");
    let values = one.split_once(" = ").zip(other.split_once(" = "));
    negates(one, other)
        || negates(other, one)
        || (is_family(one) && is_family(other) && one != other)
        || values.is_some_and(|((a, one), (b, other))| a == b && is_single(a) && one != other)
}

fn is_same_item(a: &Annotated, b: &Annotated) -> bool {
    a.context.package == b.context.package && a.path() == b.path()
}

fn policy_of(walked: &Walked, package: usize) -> Rc<Policy> {
    Rc::clone(&walked.packages[package].policy)
}

#[cfg(test)]
mod tests {
    use super::contradict;

    #[test]
    fn conditions_that_cannot_both_hold_contradict() {
        assert!(contradict("feature = \"a\"", "not(feature = \"a\")"));
        assert!(contradict("unix", "windows"));
        assert!(contradict("target_os = \"linux\"", "target_os = \"macos\""));
        assert!(!contradict("feature = \"a\"", "feature = \"b\""));
        assert!(!contradict("unix", "unix"));
        assert!(!contradict("unix", "not(feature = \"a\")"));
    }
}
