//! The packages and targets of the workspace, as Cargo sees them.

use cargo_metadata::camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{MetadataCommand, Package, Target, TargetKind};

use crate::error::Error;
use crate::options::Scope;

/// The packages to look at.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) root: Utf8PathBuf,
    pub(crate) packages: Vec<Member>,
    /// Only some packages of the workspace were asked for.
    pub(crate) is_partial: bool,
}

/// A package of the workspace.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) manifest: Utf8PathBuf,
    pub(crate) roots: Vec<Root>,
}

/// The root file of a target.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) path: Utf8PathBuf,
    pub(crate) role: Role,
    /// Targets of one group can meet in one program or share their records.
    pub(crate) group: String,
}

/// What a target is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A library or a binary.
    Product,
    Example,
    /// Tests, benches and build scripts.
    Test,
}

impl Workspace {
    /// Asks Cargo; without network, and without looking at dependencies.
    pub(crate) fn read(scope: &Scope) -> Result<Self, Error> {
        let mut command = MetadataCommand::new();
        command.no_deps().other_options(vec!["--offline".to_owned()]);
        if let Some(path) = &scope.manifest_path {
            command.manifest_path(path);
        }
        let metadata = command.exec()?;
        let members = metadata.workspace_packages();
        let known =
            || members.iter().map(|package| format!("`{}`", package.name)).collect::<Vec<_>>().join(", ");
        for name in &scope.package {
            if !members.iter().any(|package| package.name.as_str() == name) {
                return Err(Error::UnknownPackage { name: name.clone(), known: known() });
            }
        }
        let wanted =
            |package: &Package| scope.package.is_empty() || scope.package.contains(&package.name.to_string());
        let mut packages: Vec<Member> =
            members.iter().filter(|package| wanted(package)).map(|package| Member::of(package)).collect();
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        let is_partial = !scope.package.is_empty();
        Ok(Self { root: metadata.workspace_root, packages, is_partial })
    }
}

/// The path as it is shown: from the root of the workspace, with forward slashes.
pub(crate) fn shown(root: &Utf8Path, path: &Utf8Path) -> Utf8PathBuf {
    let path = normalized(path);
    let shown = path.strip_prefix(root).unwrap_or(&path);
    shown.as_str().replace('\\', "/").into()
}

impl Member {
    fn of(package: &Package) -> Self {
        let mut roots: Vec<Root> =
            package.targets.iter().map(|target| Root::of(target, package.name.as_str())).collect();
        // A file that several targets share is seen first as part of the product.
        roots.sort_by_key(|root| (root.role != Role::Product, root.role == Role::Test, root.path.clone()));
        Self { name: package.name.to_string(), manifest: package.manifest_path.clone(), roots }
    }
}

impl Root {
    fn of(target: &Target, package: &str) -> Self {
        let is = |kinds: &[TargetKind]| target.kind.iter().any(|kind| kinds.contains(kind));
        let role = if is(&[TargetKind::Test, TargetKind::Bench, TargetKind::CustomBuild]) {
            Role::Test
        } else if is(&[TargetKind::Example]) {
            Role::Example
        } else {
            Role::Product
        };
        let group = match role {
            // Libraries and binaries of one workspace can share a process or a table.
            Role::Product => String::new(),
            Role::Example | Role::Test => format!("{package}/{}", target.name),
        };
        Self { path: target.src_path.clone(), role, group }
    }
}

/// Without `.` and `..`, as text alone: links are not followed.
pub(crate) fn normalized(path: &Utf8Path) -> Utf8PathBuf {
    let mut result = Utf8PathBuf::new();
    for component in path.components() {
        match component.as_str() {
            "." => {}
            ".." => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}
