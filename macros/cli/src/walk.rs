//! From the targets of the workspace to every function in their files.

mod attribute;
mod definitions;
mod fresh;
mod macros;
mod modules;
mod names;
mod owner;
mod visit;

use std::collections::HashSet;
use std::fs;
use std::rc::Rc;

use cargo_metadata::camino::{Utf8Path, Utf8PathBuf};
use idempotency_macros_core::{Policy, PolicyError};
use syn::visit::Visit as _;

use self::attribute::Names;
pub(crate) use self::definitions::Definition;
use self::modules::Directory;
pub(crate) use self::owner::Owner;
use self::visit::{FileVisitor, Next};
use crate::annotated::Annotated;
use crate::calls::FunctionFacts;
use crate::error::Error;
use crate::finding::Finding;
use crate::hidden::{Hidden, Reason};
use crate::source::{Location, Source};
use crate::workspace::{Member, Role, Workspace, normalized, shown};

/// Everything that was seen.
#[derive(Debug)]
pub(crate) struct Walked {
    root: Utf8PathBuf,
    /// The names of the packages, by the index that everything else refers to them by.
    pub(crate) packages: Vec<Package>,
    pub(crate) annotated: Vec<Annotated>,
    pub(crate) functions: Vec<FunctionFacts>,
    /// Types of the product, outside of functions.
    pub(crate) definitions: Vec<Definition>,
    /// What the engine said about single functions.
    pub(crate) findings: Vec<Finding>,
    pub(crate) hidden: Vec<Hidden>,
    /// How many files were read.
    pub(crate) files: usize,
    /// Only some packages of the workspace were asked for.
    pub(crate) is_partial: bool,
    visited: HashSet<Utf8PathBuf>,
    /// Macro calls among items, by the name of the macro.
    macro_calls: Vec<(String, Hidden)>,
    /// Macros of the workspace that do not write the attribute.
    known_macros: HashSet<String>,
}

/// A package that was walked.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) policy: Rc<Policy>,
}

/// What is around a piece of source.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// Index of the package.
    pub(crate) package: usize,
    pub(crate) policy: Rc<Policy>,
    pub(crate) role: Role,
    /// See [`crate::workspace::Root::group`].
    pub(crate) group: String,
    /// Exists only in tests.
    pub(crate) is_test: bool,
    /// The conditions of all `#[cfg(…)]` around it.
    pub(crate) conditions: Vec<String>,
    pub(crate) module: Vec<String>,
}

impl Walked {
    /// Reads all files of all targets.
    pub(crate) fn walk(workspace: &Workspace) -> Result<Self, Error> {
        let mut walked = Self {
            root: workspace.root.clone(),
            packages: Vec::new(),
            annotated: Vec::new(),
            functions: Vec::new(),
            definitions: Vec::new(),
            findings: Vec::new(),
            hidden: Vec::new(),
            files: 0,
            is_partial: workspace.is_partial,
            visited: HashSet::new(),
            macro_calls: Vec::new(),
            known_macros: HashSet::new(),
        };
        let mut bad = Vec::new();
        for member in &workspace.packages {
            match read_policy(member, &walked)? {
                Ok(policy) => {
                    let policy = Rc::new(policy);
                    walked.packages.push(Package { name: member.name.clone(), policy });
                }
                Err(errors) => bad.extend(errors),
            }
        }
        if !bad.is_empty() {
            return Err(Error::Policies(bad));
        }
        for (package, member) in workspace.packages.iter().enumerate() {
            walked.member(package, member);
        }
        // A macro whose definition was read writes the attribute or does not; only the others are unknown.
        let calls = std::mem::take(&mut walked.macro_calls).into_iter();
        let unknown = calls.filter(|(name, _)| !walked.known_macros.contains(name)).map(|(_, call)| call);
        walked.hidden.extend(unknown.collect::<Vec<_>>());
        Ok(walked)
    }

    fn member(&mut self, package: usize, member: &Member) {
        for root in &member.roots {
            let context = Context {
                package,
                policy: Rc::clone(&self.packages[package].policy),
                role: root.role,
                group: root.group.clone(),
                is_test: false,
                conditions: Vec::new(),
                module: Vec::new(),
            };
            let mut open =
                vec![Next { path: root.path.clone(), directory: Directory::beside(&root.path), context }];
            while let Some(next) = open.pop() {
                open.extend(self.file(next));
            }
        }
    }

    /// Visits one file; the answer is the files that it names.
    fn file(&mut self, next: Next) -> Vec<Next> {
        let path = normalized(&next.path);
        if !self.visited.insert(path.clone()) {
            return Vec::new();
        }
        self.files += 1;
        let shown = self.shown(&path);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                self.unreadable(
                    &Rc::new(Source::new(shown, String::new())),
                    0,
                    format!("cannot be read: {error}"),
                );
                return Vec::new();
            }
        };
        let mut source = Source::new(shown, text);
        let file = match syn::parse_file(&source.text) {
            Ok(file) => file,
            Err(error) => {
                let start = error.span().start();
                let byte = source.byte(start.line, start.column);
                self.unreadable(&Rc::new(source), byte, format!("does not parse: {}", why(&error)));
                return Vec::new();
            }
        };
        source.offset = parsed_from(&source.text, &file);
        let mut visitor = FileVisitor {
            source: Rc::new(source),
            names: Names::of(&file),
            context: next.context,
            directory: next.directory,
            walked: self,
            next: Vec::new(),
            owner: None,
            frames: Vec::new(),
        };
        visitor.visit_file(&file);
        visitor.next
    }

    fn unreadable(&mut self, source: &Rc<Source>, byte: usize, what: String) {
        let location = Location { source: Rc::clone(source), range: byte..byte };
        self.hidden.push(Hidden { location, reason: Reason::Unreadable, what });
    }

    pub(crate) fn shown(&self, path: &Utf8Path) -> Utf8PathBuf {
        shown(&self.root, path)
    }
}

/// The parser says nothing of use about text that is not even tokens.
fn why(error: &syn::Error) -> String {
    let text = error.to_string();
    if text == "cannot parse string into token stream" {
        "a bracket or a quote has no partner, or a character is not of Rust".to_owned()
    } else {
        text
    }
}

/// How many bytes the parser was not given: it takes no byte order mark and no shebang.
fn parsed_from(text: &str, file: &syn::File) -> usize {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    mark + file.shebang.as_ref().map_or(0, String::len)
}

fn read_policy(member: &Member, walked: &Walked) -> Result<Result<Policy, Vec<PolicyError>>, Error> {
    let text = fs::read_to_string(&member.manifest)
        .map_err(|source| Error::Read { path: member.manifest.clone(), source })?;
    let file = walked.shown(&member.manifest);
    Ok(Policy::parse(&text, file.as_str()))
}
