//! `idempotency.lock`: the keys as they were when somebody last looked at them.

mod definitions;
mod entry;

use std::fs;
use std::ops::Range;
use std::rc::Rc;

use cargo_metadata::camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use toml::Spanned;

pub(crate) use self::entry::{Entry, What};
use crate::error::Error;
use crate::hidden::Hidden;
use crate::source::{Location, Source};
use crate::walk::Walked;
use crate::workspace::Workspace;

#[derive(Serialize)]
struct Written<'a> {
    format: u32,
    operation: &'a [Entry],
}

#[derive(Deserialize)]
struct Read {
    #[serde(default)]
    operation: Vec<Spanned<Entry>>,
}

/// The committed file.
#[derive(Debug)]
pub(crate) struct LockFile {
    source: Rc<Source>,
    entries: Vec<(Range<usize>, Entry)>,
}

/// What differs between the file and the code.
#[derive(Debug)]
pub(crate) enum Difference {
    /// An operation that is in both.
    Changed { index: usize, name: String, what: What, was: String, now: String, entry: usize },
    /// An operation that is only in the code.
    Added { index: usize, name: String },
    /// An operation that is only in the file.
    Removed { package: usize, name: String, entry: usize },
}

impl Difference {
    /// The name of the operation.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Changed { name, .. } | Self::Added { name, .. } | Self::Removed { name, .. } => name,
        }
    }
}

impl LockFile {
    /// Reads the file; `None` if there is none.
    pub(crate) fn read(workspace: &Workspace) -> Result<Option<Self>, Error> {
        let path = path(&workspace.root);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(Error::Read { path, source }),
        };
        let format = toml::from_str::<Format>(&text).map_or(FORMAT, |found| found.format);
        if format != FORMAT {
            return Err(Error::LockFormat { path: NAME.into(), found: format, known: FORMAT });
        }
        let read: Read = toml::from_str(&text)
            .map_err(|source| Error::LockSyntax { path: NAME.into(), source: Box::new(source) })?;
        let entries = read.operation.into_iter().map(|entry| (entry.span(), entry.into_inner())).collect();
        Ok(Some(Self { source: Rc::new(Source::new(NAME.into(), text)), entries }))
    }

    /// The line of an entry that holds a field.
    pub(crate) fn location(&self, entry: usize, field: &str) -> Location {
        let start = self.entries.get(entry).map_or(0, |(range, _)| range.start);
        let rest = self.source.text.get(start..).unwrap_or_default();
        let line = rest.find(&format!("\n{field} = ")).map_or(start, |newline| start + newline + 1);
        let text = self.source.text.get(line..).unwrap_or_default();
        let length = text.find('\n').unwrap_or(text.len());
        Location { source: Rc::clone(&self.source), range: line..line + length }
    }

    /// Everything in which the file and the walked packages differ.
    pub(crate) fn differences(&self, walked: &Walked) -> Vec<Difference> {
        let mut differences = Vec::new();
        let mut seen = vec![false; self.entries.len()];
        for (index, annotated) in walked.annotated.iter().enumerate() {
            let Some(now) = Entry::of(annotated, walked) else { continue };
            let entries: Vec<usize> =
                (0..self.entries.len()).filter(|entry| self.entries[*entry].1.is_of(&now)).collect();
            for entry in &entries {
                seen[*entry] = true;
            }
            // A function may exist in two forms, under opposite conditions.
            if entries.iter().any(|entry| self.entries[*entry].1.difference(&now).is_none()) {
                continue;
            }
            differences.extend(match entries.first() {
                None => Some(Difference::Added { index, name: now.name }),
                Some(entry) => self.entries[*entry].1.difference(&now).map(|(what, was, is)| {
                    Difference::Changed { index, name: now.name.clone(), what, was, now: is, entry: *entry }
                }),
            });
        }
        // What could not be read may hold what seems to be gone.
        if walked.hidden.iter().any(Hidden::is_fatal) {
            return differences;
        }
        for (entry, (_, gone)) in self.entries.iter().enumerate().filter(|(entry, _)| !seen[*entry]) {
            let package = walked.packages.iter().position(|package| package.name == gone.package);
            // With `--package`, the others were not looked at; a package that left the workspace is nobody's.
            if let Some(package) = package.or((!walked.is_partial).then_some(0)) {
                differences.push(Difference::Removed { package, name: gone.name.clone(), entry });
            }
        }
        differences
    }

    /// Operations that the file describes in other words than it would now, with the same records.
    pub(crate) fn reworded(&self, walked: &Walked) -> Vec<String> {
        let now = walked.annotated.iter().filter_map(|annotated| Entry::of(annotated, walked));
        let reworded = now.filter(|now| {
            let agrees = |entry: &Entry| entry.is_of(now) && entry.difference(now).is_none();
            let mut entries = self.entries.iter().map(|(_, entry)| entry);
            entries.clone().all(|entry| entry != now) && entries.any(agrees)
        });
        reworded.map(|now| now.name).collect()
    }
}

/// Writes the operations of the walked packages; those of others stay. Answers how many are in the file now.
pub(crate) fn write(workspace: &Workspace, walked: &Walked) -> Result<usize, Error> {
    let mut entries: Vec<Entry> =
        walked.annotated.iter().filter_map(|annotated| Entry::of(annotated, walked)).collect();
    if walked.is_partial
        && let Some(before) = LockFile::read(workspace)?
    {
        let others = before.entries.into_iter().map(|(_, entry)| entry);
        entries.extend(
            others.filter(|entry| walked.packages.iter().all(|package| package.name != entry.package)),
        );
    }
    entries.sort();
    entries.dedup();
    let path = path(&workspace.root);
    fs::write(&path, text(&entries)).map_err(|source| Error::Write { path, source })?;
    Ok(entries.len())
}

fn text(entries: &[Entry]) -> String {
    let written = Written { format: FORMAT, operation: entries };
    // Only texts and numbers: there is nothing that could not be written.
    let body = toml::to_string(&written).unwrap_or_default();
    format!("{HEADER}{body}")
}

fn path(root: &Utf8Path) -> Utf8PathBuf {
    root.join(NAME)
}

#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// The name of the file, at the root of the workspace.
pub(crate) const NAME: &str = "idempotency.lock";

const FORMAT: u32 = 1;

const HEADER: &str = "\
# Written by `cargo idempotent lock`; commit it. `cargo idempotent lock --check` fails when a key, a fingerprint
# or a result type differs from what stands here, because records that live would no longer be found or read.
# `#1` is the first parameter: its name may change. `plain` is any text, integer, `char` or `bool`.
";

#[cfg(test)]
mod tests {
    use super::entry::tests::entry;
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let entries = [entry("a"), entry("b.c")];
        let read: Read = toml::from_str(&text(&entries)).unwrap();
        assert_eq!(read.operation.into_iter().map(Spanned::into_inner).collect::<Vec<_>>(), entries);
    }
}
