//! `cargo idempotent list` and `cargo idempotent explain`.

mod common;

use common::{assert_snapshot, fixture, run, run_on};

#[test]
fn operations_are_listed_in_a_table() {
    let run = run_on(&fixture("clean"), &["list"]);
    assert_snapshot("list.txt", &run.output);
    assert_eq!((run.code, run.errors.as_str()), (0, ""));
}

#[test]
fn operations_are_listed_as_json() {
    let run = run_on(&fixture("clean"), &["list", "--format", "json"]);
    assert_snapshot("list.json", &run.output);
    assert_eq!(run.code, 0);
}

#[test]
fn a_list_says_what_is_missing_from_it() {
    let run = run_on(&fixture("shop"), &["list"]);
    assert_eq!(run.code, 2);
    assert!(!run.output.contains("renamed"), "{}", run.output);
    assert!(
        run.errors.contains("src/lib.rs:23:14 has mistakes and is missing from the list"),
        "{}",
        run.errors
    );
}

#[test]
fn every_lint_has_a_page_with_a_bad_and_a_good_example() {
    for lint in idempotency_macros_core::lint::registry() {
        let run = run(&["explain", lint.code]);
        assert_eq!(run.code, 0, "{}", lint.code);
        assert!(run.output.starts_with(&format!("`{}` (", lint.code)), "{}", run.output);
        assert!(run.output.contains(lint.explain.trim()), "{}", run.output);
        assert!(run.output.matches("```").count() >= 4, "{} has no two examples", lint.code);
    }
}

#[test]
fn a_code_may_be_copied_with_its_quotes() {
    assert_eq!(run(&["explain", "`Key_Changed`"]).output, run(&["explain", "key-changed"]).output);
}

#[test]
fn an_unknown_code_gets_a_suggestion_and_the_list() {
    let run = run(&["explain", "key-chnged"]);
    assert_eq!((run.code, run.output.as_str()), (2, ""));
    let first = "error: no finding is called `key-chnged`; did you mean `key-changed`?\nlints are\n";
    assert!(run.errors.starts_with(first), "{}", run.errors);
    let mistakes = idempotency_macros_core::MISTAKES.iter().map(|mistake| mistake.code);
    for code in idempotency_macros_core::lint::registry().iter().map(|lint| lint.code).chain(mistakes) {
        assert!(run.errors.contains(&format!("\n  {code} ")), "{code}");
    }
}

#[test]
fn mistakes_in_the_attribute_are_explained_and_are_no_lints() {
    let all = run(&["explain", "syntax"]);
    assert_snapshot("syntax.txt", &all.output);
    assert_eq!((all.code, all.errors.as_str()), (0, ""));
    for mistake in idempotency_macros_core::MISTAKES {
        let run = run(&["explain", mistake.code]);
        assert!(run.output.starts_with(&format!("`{}` (error): ", mistake.code)), "{}", run.output);
        assert!(run.output.contains("nothing allows it"), "{}", run.output);
    }
    let run = run(&["explain", "malformd_argument"]);
    assert!(run.errors.contains("did you mean `malformed-argument`?"), "{}", run.errors);
}
