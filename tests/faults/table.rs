//! The table in this folder's `README.md`.

use std::fs;
use std::path::Path;

/// The rows, each with its last cell.
fn rows() -> Vec<(String, String)> {
    let table = fs::read_to_string(root().join("tests/faults/README.md")).unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| F"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [id, what, tests] = cells[..] else { panic!("three cells in {row}") };
        assert!(!what.is_empty(), "{row}");
        (id.to_owned(), tests.to_owned())
    })
    .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Why a test of this name does not exist.
fn missing(test: &str) -> Result<(), String> {
    let (file, name) = match (test.split_once(": "), test.split_once("::")) {
        (Some((file, name)), _) => (root().join(file), name),
        (None, Some((module, name))) => {
            let folder = root().join("tests/faults");
            let file = folder.join(module).with_extension("rs");
            let file = if file.exists() { file } else { folder.join(module).join("mod.rs") };
            (file, name)
        }
        (None, None) => (root().join(test), ""),
    };
    let source = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let is_there = name.is_empty()
        || source.contains(&format!("fn {name}("))
        || source.lines().any(|line| line.trim_start().starts_with(&format!("{name}:")));
    if is_there { Ok(()) } else { Err(format!("{} has no `{name}`", file.display())) }
}

#[test]
fn every_row_names_tests_that_exist() {
    let mut faults = Vec::new();
    for (id, cell) in rows() {
        let tests: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        let says_why = cell.starts_with("later: ") || cell.starts_with("none: ");
        if !says_why && tests.is_empty() {
            faults.push(format!("{id} names no test and no reason"));
        }
        // In a reason a quoted word may be anything; a test has a path.
        let tests = tests.iter().filter(|test| !says_why || test.contains(".rs") || test.contains("::"));
        faults.extend(tests.filter_map(|test| missing(test).err()).map(|why| format!("{id}: {why}")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_row_is_missing() {
    let ids: Vec<String> = rows().into_iter().map(|(id, _)| id).collect();
    let all: Vec<String> = (1..=69).map(|number| format!("F{number:02}")).collect();
    assert_eq!(ids, all);
}
