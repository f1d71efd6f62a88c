//! What each subcommand does.

use std::io::Write as _;

use crate::across::{self, Strictness};
use crate::error::Error;
use crate::lock::{self, LockFile};
use crate::options::{CheckFormat, Command, ListFormat, Scope};
use crate::render::Checked;
use crate::walk::Walked;
use crate::workspace::Workspace;
use crate::{explain, list};

/// The exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Clean = 0,
    Findings = 1,
    /// Something could not be read.
    Unchecked = 2,
}

/// Runs one subcommand and writes its result to standard output.
pub(crate) fn run(command: Command) -> Result<Verdict, Error> {
    match command {
        Command::Check { scope, format } => check(&scope, format),
        Command::List { scope, format } => list(&scope, format),
        Command::Explain { code } => {
            print(&explain::page(&code)?)?;
            Ok(Verdict::Clean)
        }
        Command::Lock { scope, check: false, .. } => write_lock(&scope),
        Command::Lock { scope, check: true, format } => check_lock(&scope, format),
    }
}

fn check(scope: &Scope, format: CheckFormat) -> Result<Verdict, Error> {
    let workspace = Workspace::read(scope)?;
    let mut walked = Walked::walk(&workspace)?;
    let lock = LockFile::read(&workspace)?;
    let findings = across::run(&mut walked, lock.as_ref());
    walked.findings.extend(findings);
    conclude(walked, format)
}

fn list(scope: &Scope, format: ListFormat) -> Result<Verdict, Error> {
    let walked = Walked::walk(&Workspace::read(scope)?)?;
    let rows = list::rows(&walked);
    print(&match format {
        ListFormat::Table => list::table(&rows),
        ListFormat::Json => list::json(&rows)?,
    })?;
    Ok(complain(&walked, "the list"))
}

fn write_lock(scope: &Scope) -> Result<Verdict, Error> {
    let workspace = Workspace::read(scope)?;
    let walked = Walked::walk(&workspace)?;
    // A file with half of the operations would look as if the others were gone.
    let verdict = complain(&walked, "the lock file");
    if verdict == Verdict::Clean {
        let count = lock::write(&workspace, &walked)?;
        print(&format!("{}: {count} operations\n", lock::NAME))?;
    }
    Ok(verdict)
}

fn check_lock(scope: &Scope, format: CheckFormat) -> Result<Verdict, Error> {
    let workspace = Workspace::read(scope)?;
    let mut walked = Walked::walk(&workspace)?;
    let lock = LockFile::read(&workspace)?.ok_or(Error::LockMissing { path: lock::NAME.into() })?;
    let drafts = across::key_changed(&walked, &lock, Strictness::All);
    let (changes, allowed) = across::settle_or_allow(&walked, &drafts);
    // An allowed change is no finding, but the next change is compared with what stands in the file.
    for draft in allowed {
        eprintln!("note: allowed: {}; bring the file up to date with `cargo idempotent lock`", draft.message);
    }
    for name in lock.reworded(&walked) {
        eprintln!(
            "note: the lock file describes `{name}` in other words, and the records are the same; `cargo idempotent lock` updates it"
        );
    }
    // Findings of single functions are not this command's; but what could not be resolved could not be compared. What
    // could not be read is part of the result.
    let verdict = complain_of_operations(&walked, "the comparison");
    walked.findings = changes;
    let compared = conclude(walked, format)?;
    Ok(if verdict == Verdict::Clean { compared } else { verdict })
}

fn conclude(walked: Walked, format: CheckFormat) -> Result<Verdict, Error> {
    let operations = walked.annotated.len();
    let checked = Checked::new(walked.findings, walked.hidden, operations, walked.files);
    print(&checked.render(format)?)?;
    Ok(if checked.is_incomplete() {
        Verdict::Unchecked
    } else if checked.findings.is_empty() {
        Verdict::Clean
    } else {
        Verdict::Findings
    })
}

/// Says on standard error what is missing from a result.
fn complain(walked: &Walked, from: &str) -> Verdict {
    let mut verdict = Verdict::Clean;
    for hidden in walked.hidden.iter().filter(|hidden| hidden.is_fatal()) {
        eprintln!("error: {} is missing from {from}: {}", hidden.location, hidden.what);
        verdict = Verdict::Unchecked;
    }
    let operations = complain_of_operations(walked, from);
    if verdict == Verdict::Clean { operations } else { verdict }
}

fn complain_of_operations(walked: &Walked, from: &str) -> Verdict {
    let mut verdict = Verdict::Clean;
    let is_incomplete = |operation: &idempotency_macros_core::Operation| !operation.is_complete();
    for annotated in walked.annotated.iter().filter(|one| one.operation.as_ref().is_none_or(is_incomplete)) {
        let place = &annotated.places.name;
        eprintln!("error: {place} has mistakes and is missing from {from}; run `cargo idempotent check`");
        verdict = Verdict::Unchecked;
    }
    verdict
}

fn print(text: &str) -> Result<(), Error> {
    match std::io::stdout().write_all(text.as_bytes()) {
        // Whoever reads has seen enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}
