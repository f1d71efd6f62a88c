//! The policy of the package that is being compiled.
//!
//! A bad policy concerns every annotated function, and is one mistake: within one compilation only the first attribute
//! reports it. That is sound where the process compiles one crate and ends, because what an attribute emits is part of
//! that compilation, and one error fails it. An editor's server keeps what each attribute emitted and asks again only
//! about the one that was edited: there, and in every process that is not known to be a compiler, each reports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use std::{env, fs};

use super::{Policy, PolicyError};

type Answer = Result<Arc<Policy>, Vec<PolicyError>>;

/// What was read of a manifest.
struct Read {
    modified: Option<SystemTime>,
    answer: Answer,
    reported: bool,
}

/// One compiler process asks once per annotated function; an editor's server lives long and sees several
/// packages, whose files change.
static READ: Mutex<BTreeMap<PathBuf, Read>> = Mutex::new(BTreeMap::new());

/// Why there is no policy.
#[derive(Debug)]
pub(crate) enum NoPolicy {
    /// To be reported.
    Bad(Vec<PolicyError>),
    /// Another attribute of this compilation reported it.
    Reported,
}

/// The policy of `CARGO_MANIFEST_DIR/Cargo.toml`; outside cargo, or without a readable file, the default one.
pub(crate) fn of_package() -> Result<Arc<Policy>, NoPolicy> {
    let Some(directory) = env::var_os("CARGO_MANIFEST_DIR") else { return Ok(Arc::default()) };
    of_manifest(&PathBuf::from(directory).join("Cargo.toml"), is_compiler())
}

fn of_manifest(path: &Path, once: bool) -> Result<Arc<Policy>, NoPolicy> {
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let mut all = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if all.get(path).is_none_or(|read| read.modified != modified) {
        let answer = match fs::read_to_string(path) {
            Ok(text) => Policy::parse(&text, &path.display().to_string()).map(Arc::new),
            Err(_) => Ok(Arc::default()),
        };
        all.insert(path.to_owned(), Read { modified, answer, reported: false });
    }
    let Some(read) = all.get_mut(path) else { return Ok(Arc::default()) };
    match &read.answer {
        Ok(policy) => Ok(Arc::clone(policy)),
        Err(_) if once && read.reported => Err(NoPolicy::Reported),
        Err(errors) => {
            read.reported = true;
            Err(NoPolicy::Bad(errors.clone()))
        }
    }
}

/// Whether this process compiles one crate and ends.
fn is_compiler() -> bool {
    let program = env::current_exe().ok();
    let name = program.as_ref().and_then(|program| program.file_stem()).and_then(|name| name.to_str());
    name.is_some_and(|name| COMPILERS.contains(&name))
}

/// Programs that load the attribute for one crate.
const COMPILERS: [&str; 3] = ["rustc", "clippy-driver", "rustdoc"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_policy_is_reported_by_the_first_attribute_of_a_compilation() {
        let folder = env::temp_dir().join(format!("idempotency-policy-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("Cargo.toml");
        fs::write(&path, "[package.metadata.idempotency]\ntennant = \"t\"\n").unwrap();
        let answer = |once| match of_manifest(&path, once) {
            Ok(_) => "good",
            Err(NoPolicy::Bad(_)) => "bad",
            Err(NoPolicy::Reported) => "reported",
        };
        assert_eq!([answer(false), answer(false)], ["bad", "bad"]);
        assert_eq!([answer(true), answer(false)], ["reported", "bad"]);
        fs::write(&path, "[package.metadata.idempotency]\ntenent = \"t\"\n").unwrap();
        let later = SystemTime::now() + std::time::Duration::from_secs(9);
        fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        assert_eq!([answer(true), answer(true)], ["bad", "reported"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
