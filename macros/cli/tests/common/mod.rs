//! Runs the command on fixtures, and compares what it writes with snapshots.

#![allow(dead_code, reason = "every test file uses another part of it")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What one run of the command left.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) output: String,
    pub(crate) errors: String,
}

/// Runs the command with these arguments, as a shell would.
#[track_caller]
pub(crate) fn run(arguments: &[&str]) -> Run {
    run_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments)
}

/// The same from another folder.
#[track_caller]
pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-idempotent"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command starts");
    Run {
        code: output.status.code().expect("the command ends by itself"),
        output: String::from_utf8(output.stdout).expect("standard output is text"),
        errors: String::from_utf8(output.stderr).expect("standard error is text"),
    }
}

/// Runs a subcommand on a workspace.
#[track_caller]
pub(crate) fn run_on(workspace: &Path, arguments: &[&str]) -> Run {
    let manifest = workspace.join("Cargo.toml");
    let manifest = manifest.to_str().expect("the path is text");
    run(&[arguments, &["--manifest-path", manifest]].concat())
}

/// The folder of a fixture.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// A copy of a fixture that a test may change.
pub(crate) fn copy_of(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    copy(&fixture(name), folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("the fixture can be read") {
        let entry = entry.expect("the fixture can be read");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("the fixture can be copied");
        }
    }
}

/// Replaces a text in a file that must hold it.
#[track_caller]
pub(crate) fn edit(file: &Path, before: &str, after: &str) {
    let text = fs::read_to_string(file).expect("the file can be read");
    assert!(text.contains(before), "{} does not hold {before}", file.display());
    fs::write(file, text.replace(before, after)).expect("the file can be written");
}

/// Compares with `tests/snapshots/<name>`; `BLESS=1` writes it.
#[track_caller]
pub(crate) fn assert_snapshot(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if env::var_os("BLESS").is_some() {
        fs::write(&file, text).expect("the snapshot can be written");
        return;
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        expected == text,
        "{} differs; after reading, write it with BLESS=1\n--- now\n{text}",
        file.display()
    );
}
