//! Why the command could not do its work at all.

use cargo_metadata::camino::Utf8PathBuf;
use idempotency_macros_core::PolicyError;
use thiserror::Error;

/// Ends the command with exit code 2.
#[derive(Debug, Error)]
pub(crate) enum Error {
    #[error("cannot read the workspace: {0}")]
    Metadata(#[from] cargo_metadata::Error),
    #[error("no package `{name}` in the workspace; there are {known}")]
    UnknownPackage { name: String, known: String },
    #[error("cannot read {path}: {source}")]
    Read { path: Utf8PathBuf, source: std::io::Error },
    #[error("cannot write {path}: {source}")]
    Write { path: Utf8PathBuf, source: std::io::Error },
    #[error("{path} is not as `cargo idempotent lock` writes it: {source}")]
    LockSyntax { path: Utf8PathBuf, source: Box<toml::de::Error> },
    #[error("{path} has format {found}; this version reads format {known}")]
    LockFormat { path: Utf8PathBuf, found: u32, known: u32 },
    #[error("{path} is missing; write it with `cargo idempotent lock`, and commit it")]
    LockMissing { path: Utf8PathBuf },
    #[error("{}", policies(.0))]
    Policies(Vec<PolicyError>),
    #[error("cannot write the result: {0}")]
    Output(#[from] std::io::Error),
    #[error("cannot write the result: {0}")]
    Json(#[from] serde_json::Error),
    #[error("{0}")]
    UnknownCode(String),
}

/// One paragraph per mistake; the word before the first is the caller's.
fn policies(errors: &[PolicyError]) -> String {
    let paragraph = |error: &PolicyError| {
        let PolicyError { message, file, line, help, .. } = error;
        format!("{message} in `[package.metadata.idempotency]` at {file}:{line}\nhelp: {help}")
    };
    errors.iter().map(paragraph).collect::<Vec<_>>().join("\nerror: ")
}
