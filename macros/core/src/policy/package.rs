//! The policy of the package that is being compiled.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use std::{env, fs};

use super::{Policy, PolicyError};

type Answer = Result<Arc<Policy>, PolicyError>;

/// One compiler process asks once per annotated function; an editor's server lives long and sees several
/// packages, whose files change.
static READ: Mutex<BTreeMap<PathBuf, (Option<SystemTime>, Answer)>> = Mutex::new(BTreeMap::new());

/// The policy of `CARGO_MANIFEST_DIR/Cargo.toml`; outside cargo, or without a readable file, the default one.
pub(crate) fn of_package() -> Answer {
    let Some(directory) = env::var_os("CARGO_MANIFEST_DIR") else { return Ok(Arc::default()) };
    let path = PathBuf::from(directory).join("Cargo.toml");
    let modified = fs::metadata(&path).and_then(|metadata| metadata.modified()).ok();
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((then, answer)) = read.get(&path)
        && *then == modified
    {
        return answer.clone();
    }
    let answer = match fs::read_to_string(&path) {
        Ok(text) => Policy::parse(&text, &path.display().to_string()).map(Arc::new),
        Err(_) => Ok(Arc::default()),
    };
    read.insert(path, (modified, answer.clone()));
    answer
}
