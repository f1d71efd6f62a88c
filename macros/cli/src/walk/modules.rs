//! From `mod name;` to the file it means.

use cargo_metadata::camino::{Utf8Path, Utf8PathBuf};
use syn::ext::IdentExt as _;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, Meta};

use super::attribute::conditional;

/// Where the modules of a file are looked for.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    /// The folder of the file itself.
    file: Utf8PathBuf,
    /// The folder of `mod name;`.
    modules: Utf8PathBuf,
    /// Inside an inline module: paths then start at `modules`.
    inline: bool,
}

/// The files that a module may be in.
#[derive(Debug)]
pub(super) struct Candidates {
    pub(super) existing: Vec<(Utf8PathBuf, Directory)>,
    pub(super) tried: Vec<Utf8PathBuf>,
}

impl Directory {
    /// Of a file that looks for its modules beside itself: a target's root, `mod.rs`, a file named by a path.
    pub(super) fn beside(file: &Utf8Path) -> Self {
        let folder = parent(file);
        Self { modules: folder.clone(), file: folder, inline: false }
    }

    /// Of `name.rs`, which looks for its modules in `name/`.
    fn below(file: &Utf8Path) -> Self {
        let folder = parent(file);
        Self { modules: folder.join(file.file_stem().unwrap_or_default()), file: folder, inline: false }
    }

    /// Of an inline module.
    pub(super) fn inside(&self, name: &Ident, attributes: &[Attribute]) -> Self {
        let modules = match paths(attributes).into_iter().next() {
            Some((path, _)) => self.base().join(path),
            None => self.modules.join(name.unraw().to_string()),
        };
        Self { file: self.file.clone(), modules, inline: true }
    }

    /// The files that `mod name;` may mean. Whether a `cfg_attr` holds is not known: all its paths count.
    pub(super) fn candidates(&self, name: &Ident, attributes: &[Attribute]) -> Candidates {
        let mut all = Vec::new();
        let mut certain = false;
        for (path, is_certain) in paths(attributes) {
            let file = self.base().join(path);
            all.push((file.clone(), Self::beside(&file)));
            certain |= is_certain;
        }
        if !certain {
            let name = name.unraw().to_string();
            let file = self.modules.join(format!("{name}.rs"));
            all.push((file.clone(), Self::below(&file)));
            let file = self.modules.join(name).join("mod.rs");
            all.push((file.clone(), Self::beside(&file)));
        }
        let tried = all.iter().map(|(file, _)| file.clone()).collect();
        let existing = all.into_iter().filter(|(file, _)| file.is_file()).collect();
        Candidates { existing, tried }
    }

    /// The file that `include!("…")` means.
    pub(super) fn included(&self, path: &str) -> Utf8PathBuf {
        self.file.join(path)
    }

    fn base(&self) -> &Utf8Path {
        if self.inline { &self.modules } else { &self.file }
    }
}

fn parent(file: &Utf8Path) -> Utf8PathBuf {
    file.parent().map(ToOwned::to_owned).unwrap_or_default()
}

/// The values of `#[path = "…"]`, and whether each holds in any configuration.
fn paths(attributes: &[Attribute]) -> Vec<(String, bool)> {
    let mut paths = Vec::new();
    for attribute in attributes {
        paths.extend(path(&attribute.meta).map(|path| (path, true)));
        paths.extend(conditional(attribute).iter().filter_map(path).map(|path| (path, false)));
    }
    paths
}

fn path(meta: &Meta) -> Option<String> {
    let Meta::NameValue(meta) = meta else { return None };
    match &meta.value {
        Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) if meta.path.is_ident("path") => Some(path.value()),
        _ => None,
    }
}
