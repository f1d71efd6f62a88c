//! `idempotency.lock`: the keys as they were when somebody last looked at them.

use std::fs;
use std::ops::Range;
use std::rc::Rc;

use cargo_metadata::camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::annotated::Annotated;
use crate::error::Error;
use crate::shown::compact;
use crate::source::{Location, Source};
use crate::walk::Walked;
use crate::workspace::Workspace;

/// One operation, as it is stored.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Entry {
    name: String,
    package: String,
    key: String,
    fingerprint: String,
    fingerprint_version: u32,
    result: String,
}

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

/// Which property of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Key,
    Fingerprint,
    FingerprintVersion,
    Result,
}

impl What {
    /// The name of its field in the file.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Fingerprint => "fingerprint",
            Self::FingerprintVersion => "fingerprint-version",
            Self::Result => "result",
        }
    }

    /// What a change of it does to records that live.
    pub(crate) fn consequence(self) -> &'static str {
        match self {
            Self::Key => "requests that were handled under the old key are not recognised, and run again",
            Self::Fingerprint | Self::FingerprintVersion => {
                "repeated requests do not match what was recorded for them, and are refused"
            }
            Self::Result => "outcomes recorded with the old type may not decode as the new one",
        }
    }
}

impl std::fmt::Display for What {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Key => "key",
            Self::Fingerprint => "fingerprint",
            Self::FingerprintVersion => "fingerprint version",
            Self::Result => "result type",
        })
    }
}

impl Entry {
    fn of(annotated: &Annotated, walked: &Walked) -> Option<Self> {
        let operation = annotated.operation.as_ref().filter(|operation| operation.is_complete())?;
        annotated.is_product().then(|| Self {
            name: operation.name().to_owned(),
            package: walked.packages[annotated.context.package].name.clone(),
            key: operation.key_shape(),
            fingerprint: operation.fingerprint(),
            fingerprint_version: FINGERPRINT_VERSION,
            result: compact(&operation.result_type()),
        })
    }

    /// The first property that differs, with both values.
    fn difference(&self, now: &Self) -> Option<(What, String, String)> {
        let version = |entry: &Self| entry.fingerprint_version.to_string();
        let all = [
            (What::Key, self.key.clone(), now.key.clone()),
            (What::Fingerprint, self.fingerprint.clone(), now.fingerprint.clone()),
            (What::FingerprintVersion, version(self), version(now)),
            (What::Result, self.result.clone(), now.result.clone()),
        ];
        all.into_iter().find(|(_, was, now)| was != now)
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
            let same_name = |entry: &Entry| entry.name == now.name && entry.package == now.package;
            let entries: Vec<usize> =
                (0..self.entries.len()).filter(|entry| same_name(&self.entries[*entry].1)).collect();
            for entry in &entries {
                seen[*entry] = true;
            }
            // A function may exist in two forms, under opposite conditions.
            if entries.iter().any(|entry| self.entries[*entry].1 == now) {
                continue;
            }
            differences.extend(match entries.first() {
                None => Some(Difference::Added { index, name: now.name }),
                Some(entry) => self.entries[*entry].1.difference(&now).map(|(what, was, is)| {
                    Difference::Changed { index, name: now.name.clone(), what, was, now: is, entry: *entry }
                }),
            });
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

/// The version of the encoding that the runtime stores with every fingerprint.
const FINGERPRINT_VERSION: u32 = 1;

const HEADER: &str = "\
# Written by `cargo idempotent lock`; commit it. `cargo idempotent lock --check` fails when a key, a fingerprint
# or a result type differs from what stands here, because records that live would no longer be found or read.
";

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str) -> Entry {
        Entry {
            name: name.to_owned(),
            package: "shop".to_owned(),
            key: "order_no".to_owned(),
            fingerprint: "none".to_owned(),
            fingerprint_version: FINGERPRINT_VERSION,
            result: "Result<Order, Error>".to_owned(),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let entries = [entry("a"), entry("b.c")];
        let read: Read = toml::from_str(&text(&entries)).unwrap();
        assert_eq!(read.operation.into_iter().map(Spanned::into_inner).collect::<Vec<_>>(), entries);
    }

    #[test]
    fn the_first_difference_is_named() {
        let mut now = entry("a");
        assert_eq!(entry("a").difference(&now), None);
        "Result<(), Error>".clone_into(&mut now.result);
        assert_eq!(entry("a").difference(&now).unwrap().0, What::Result);
        "order_no + line".clone_into(&mut now.key);
        let expected = (What::Key, "order_no".to_owned(), "order_no + line".to_owned());
        assert_eq!(entry("a").difference(&now), Some(expected));
    }
}
