//! Compile-fail goldens: one mistake per file, named after the mistake.
//!
//! They quote the compiler and are therefore pinned to the toolchain of `rust-toolchain.toml`. After a change,
//! `TRYBUILD=overwrite cargo test -p idempotency-ui-tests` writes them anew: read every line of the difference.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use trybuild::TestCases;

#[test]
fn mistakes_get_their_messages() {
    let cases = TestCases::new();
    for group in
        ["args", "bounds", "derive", "duration", "key", "kind", "lint", "position", "signature", "validate"]
    {
        cases.compile_fail(format!("tests/ui/{group}/*.rs"));
    }
}

#[test]
fn what_looks_similar_compiles_without_a_warning() {
    let cases = TestCases::new();
    cases.pass("tests/pass/*.rs");
}

#[test]
fn no_golden_is_orphaned() {
    for golden in files("stderr") {
        assert!(golden.with_extension("rs").exists(), "{} has no case", golden.display());
    }
}

#[test]
fn the_reference_page_lists_the_codes_of_the_goldens() {
    let page = fs::read_to_string(root().join("../src/attribute.md")).unwrap();
    let (_, table) = page.split_once("| code | said about |").expect("the page has a table of codes");
    let listed: BTreeSet<&str> = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .filter_map(|line| line.split('|').nth(1))
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    let goldens: Vec<String> =
        files("stderr").iter().map(|golden| fs::read_to_string(golden).unwrap()).collect();
    let used: BTreeSet<&str> = goldens
        .iter()
        .flat_map(|golden| golden.lines())
        .filter_map(|line| line.trim().strip_prefix("note: idempotency error `"))
        .map(|code| code.trim_end_matches('`'))
        .collect();
    assert_eq!(listed, used);
}

#[test]
fn every_lint_has_a_golden_and_a_similar_case_that_passes() {
    let page = fs::read_to_string(root().join("../src/lints.md")).unwrap();
    let goldens: String = files("stderr").iter().map(|golden| fs::read_to_string(golden).unwrap()).collect();
    let rows = page.lines().filter(|line| line.starts_with("| [`"));
    let mut checked = 0;
    for row in rows {
        let code = row.split('`').nth(1).unwrap();
        // These are found across functions, or under a policy, which a case cannot have; they are tested elsewhere.
        let elsewhere = row.contains("by the command") || ["missing-tenant", "ttl-too-long"].contains(&code);
        if elsewhere {
            continue;
        }
        checked += 1;
        let by_types = row.contains("by types");
        let said = goldens.contains(&format!("note: idempotency lint `{code}`"))
            || goldens.contains(&format!("note: idempotency error `{code}`"));
        assert!(said || by_types, "no golden for `{code}`");
        let passes = root().join(format!("tests/pass/{}.rs", code.replace('-', "_")));
        let grammar = goldens.contains(&format!("note: idempotency error `{code}`"));
        assert!(passes.exists() || grammar || by_types, "no passing case for `{code}`");
    }
    assert!(checked >= 25, "{checked}");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `tests/ui` with this extension.
fn files(extension: &str) -> Vec<PathBuf> {
    let groups = fs::read_dir(root().join("tests/ui")).unwrap();
    groups
        .flat_map(|group| fs::read_dir(group.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect()
}
