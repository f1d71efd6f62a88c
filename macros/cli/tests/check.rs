//! `cargo idempotent check`: what it finds, where, in which form, and how it ends.

mod common;

use common::{assert_snapshot, copy_of, edit, fixture, run, run_in, run_on};
use serde_json::Value;

#[test]
fn findings_are_shown_to_people() {
    let run = run_on(&fixture("shop"), &["check"]);
    assert_snapshot("shop.txt", &run.output);
    assert_eq!((run.code, run.errors.as_str()), (1, ""));
    assert!(!run.output.contains('\u{1b}'), "colours are for terminals");
}

#[test]
fn findings_are_written_as_json() {
    let run = run_on(&fixture("shop"), &["check", "--format", "json"]);
    assert_snapshot("shop.json", &run.output);
    assert_eq!(run.code, 1);
    serde_json::from_str::<Value>(&run.output).expect("the output is JSON");
}

#[test]
fn findings_are_written_as_sarif() {
    let run = run_on(&fixture("shop"), &["check", "--format", "sarif"]);
    assert_eq!(run.code, 1);
    let mut log: Value = serde_json::from_str(&run.output).expect("the output is JSON");
    // The pages are the core's, and are tested there.
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array_mut().expect("there are rules");
    let results = rules.iter().map(|rule| rule["id"].clone()).collect::<Vec<_>>();
    for rule in rules {
        let is_lint = rule.get("help").is_some();
        assert!(!is_lint || rule["help"]["markdown"].as_str().is_some_and(|page| page.len() > 100), "{rule}");
        let rule = rule.as_object_mut().expect("a rule is an object");
        rule.remove("help");
        rule.remove("shortDescription");
    }
    for result in log["runs"][0]["results"].as_array().expect("there are results") {
        assert!(results.contains(&result["ruleId"]), "{result}");
    }
    assert_snapshot("shop.sarif", &(serde_json::to_string_pretty(&log).unwrap() + "\n"));
}

#[test]
fn carets_are_exact_inside_strings() {
    let run = run_on(&fixture("shop"), &["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.output).unwrap();
    let mut underlined = Vec::new();
    for finding in report["findings"].as_array().unwrap() {
        let file = fixture("shop").join(finding["file"].as_str().unwrap());
        let text = std::fs::read_to_string(file).unwrap();
        let byte = |end: &str| usize::try_from(finding[end]["byte"].as_u64().unwrap()).unwrap();
        underlined.push(text[byte("start")..byte("end")].to_owned());
    }
    for expected in
        ["ordr_no", "order_nr", "yaer", "lien", "requested_at", "order.requested_at", "Uuid::now_v7()"]
    {
        assert!(underlined.iter().any(|text| text == expected), "{expected} is not in {underlined:?}");
    }
}

#[test]
fn a_byte_order_mark_and_a_shebang_move_no_caret() {
    let shop = copy_of("shop");
    for start in ["\u{feff}", "#!/usr/bin/env run\n"] {
        let file = shop.path().join("src/included.in");
        let text = std::fs::read_to_string(fixture("shop").join("src/included.in")).unwrap();
        std::fs::write(&file, format!("{start}{text}")).unwrap();
        let run = run_on(shop.path(), &["check", "--format", "json"]);
        let report: Value = serde_json::from_str(&run.output).unwrap();
        let findings = report["findings"].as_array().unwrap();
        let finding = findings.iter().find(|finding| finding["file"] == "src/included.in").unwrap();
        let byte = usize::try_from(finding["start"]["byte"].as_u64().unwrap()).unwrap();
        assert!(std::fs::read_to_string(&file).unwrap()[byte..].starts_with("lien"), "{start:?}");
    }
}

#[test]
fn a_clean_workspace_ends_with_zero() {
    let run = run_on(&fixture("clean"), &["check"]);
    assert_eq!(run.output, "3 operations in 2 files: nothing found\n");
    assert_eq!((run.code, run.errors.as_str()), (0, ""));
}

#[test]
fn what_cannot_be_read_is_listed_and_ends_with_two() {
    let run = run_on(&fixture("broken"), &["check"]);
    assert_snapshot("broken.txt", &run.output);
    assert_eq!(run.code, 2);
    let run = run_on(&fixture("broken"), &["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!((run.code, &report["complete"]), (2, &Value::Bool(false)));
    let run = run_on(&fixture("broken"), &["check", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn a_mistake_in_the_policy_names_file_and_key() {
    let run = run_on(&fixture("policy"), &["check"]);
    assert_eq!((run.code, run.output.as_str()), (2, ""));
    assert_snapshot("policy.txt", &run.errors);
}

#[test]
fn every_bad_policy_is_named_once() {
    let clean = copy_of("clean");
    for (package, table) in [
        ("billing", "tenant = \"a + b\"\ndeny-warnings = 1"),
        ("orders", "default-ttl = \"9d\"\nmax-ttl = \"1d\""),
    ] {
        let manifest = clean.path().join(package).join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).unwrap();
        let (package, _) = text.split_once("\n[package.metadata.idempotency]").unwrap_or((&text, ""));
        std::fs::write(&manifest, format!("{package}\n[package.metadata.idempotency]\n{table}\n")).unwrap();
    }
    let run = run_on(clean.path(), &["check"]);
    assert_eq!((run.code, run.output.as_str()), (2, ""));
    assert_snapshot("policies.txt", &run.errors);
}

#[test]
fn manifest_and_attribute_change_levels() {
    let run = run_on(&fixture("levels"), &["check"]);
    assert_snapshot("levels.txt", &run.output);
    assert_eq!(run.code, 1);
}

#[test]
fn the_parameters_of_an_impl_block_are_seen() {
    let run = run_on(&fixture("generics"), &["check"]);
    assert_snapshot("generics.txt", &run.output);
    assert_eq!(run.code, 1);
}

#[test]
fn warnings_alone_are_findings() {
    let levels = copy_of("levels");
    edit(&levels.path().join("Cargo.toml"), "deny = [\"same-key-other-ttl\"]\n", "");
    edit(
        &levels.path().join("src/lib.rs"),
        ",\n    allow(operation-collision, reason = \"there was another one\")",
        "",
    );
    let run = run_on(levels.path(), &["check"]);
    assert!(run.output.ends_with("5 operations in 1 file: 1 warning\n"), "{}", run.output);
    assert_eq!(run.code, 1);
}

#[test]
fn functions_that_share_their_records_on_purpose_must_agree() {
    let levels = copy_of("levels");
    let source = levels.path().join("src/lib.rs");
    let found = || run_on(levels.path(), &["check"]).output.matches("`same-key-other-ttl`;").count();
    assert_eq!(found(), 1);
    edit(&source, "    allow(same-key-other-ttl, reason = \"archives are asked for late\"),\n", "");
    assert_eq!(found(), 2, "`archive` allows the collision, not the disagreement");
    edit(&source, "ttl = \"8d\"", "ttl = \"7d\"");
    edit(&source, "ttl = \"9d\"", "ttl = \"7d\"");
    assert_eq!(found(), 0);
    edit(&source, "    op = \"create\",", "    op = \"create\", validate = \"order_no\",");
    let output = run_on(levels.path(), &["check"]).output;
    assert!(output.contains("records of `create`, but compare `none` and `order_no`"), "{output}");
    edit(&source, "    op = \"create\",", "    op = \"archive\",");
    assert_eq!(found(), 0, "under another name it is another record");
}

#[test]
fn packages_can_collide_and_can_be_chosen() {
    let clean = copy_of("clean");
    edit(&clean.path().join("orders/src/lib.rs"), "orders.ship", "bill");
    let run = run_on(clean.path(), &["check"]);
    assert_snapshot("packages.txt", &run.output);
    assert_eq!(run.code, 1);
    let run = run_on(clean.path(), &["check", "--package", "billing"]);
    assert_eq!((run.code, run.output.as_str()), (0, "1 operation in 1 file: nothing found\n"));
    let run = run_on(clean.path(), &["check", "-p", "biling"]);
    let message = "error: no package `biling` in the workspace; there are `billing`, `orders`\n";
    assert_eq!((run.code, run.errors.as_str()), (2, message));
}

#[test]
fn a_workspace_that_is_not_there_ends_with_two() {
    let run = run(&["check", "--manifest-path", "nowhere/Cargo.toml"]);
    assert_eq!((run.code, run.output.as_str()), (2, ""));
    assert!(run.errors.starts_with("error: cannot read the workspace"), "{}", run.errors);
}

#[test]
fn cargo_passes_the_name_of_the_subcommand() {
    let clean = fixture("clean");
    let direct = run_in(&clean, &["check"]);
    let through_cargo = run_in(&clean, &["idempotent", "check"]);
    assert_eq!((direct.code, direct.output), (0, through_cargo.output));
}

#[test]
fn findings_come_from_the_folder_one_stands_in() {
    let run = run_in(&fixture("clean").join("orders/src"), &["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!((run.code, &report["operations"]), (0, &Value::from(3)));
}
