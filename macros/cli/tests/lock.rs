//! `cargo idempotent lock`: what is written, and what a later comparison says.

mod common;

use std::fs;

use common::{assert_snapshot, copy_of, edit, fixture, run_on};

#[test]
fn the_file_is_sorted_and_readable() {
    let clean = copy_of("clean");
    let run = run_on(clean.path(), &["lock"]);
    assert_eq!((run.code, run.output.as_str()), (0, "idempotency.lock: 3 operations\n"));
    let text = fs::read_to_string(clean.path().join("idempotency.lock")).unwrap();
    assert_snapshot("idempotency.lock", &text);
    let run = run_on(clean.path(), &["lock"]);
    assert_eq!(run.code, 0);
    assert_eq!(fs::read_to_string(clean.path().join("idempotency.lock")).unwrap(), text);
}

#[test]
fn an_unchanged_workspace_agrees_with_its_file() {
    let clean = copy_of("clean");
    run_on(clean.path(), &["lock"]);
    let run = run_on(clean.path(), &["lock", "--check"]);
    assert_eq!((run.code, run.output.as_str()), (0, "3 operations in 2 files: nothing found\n"));
    assert_eq!(run_on(clean.path(), &["check"]).code, 0);
}

#[test]
fn changes_of_key_fingerprint_and_result_are_found() {
    let clean = copy_of("clean");
    run_on(clean.path(), &["lock"]);
    let orders = clean.path().join("orders/src/lib.rs");
    edit(&orders, "tenant_id + op + order_no", "order_no + op + tenant_id");
    edit(&orders, "event - event.sent_at", "event");
    edit(&clean.path().join("billing/src/main.rs"), "Result<Invoice, Error>", "Result<(), Error>");
    let run = run_on(clean.path(), &["lock", "--check"]);
    assert_snapshot("key_changed.txt", &run.output);
    assert_eq!(run.code, 1);
    let run = run_on(clean.path(), &["check"]);
    assert_eq!((run.code, run.output.matches("idempotency lint `key-changed`").count()), (1, 3));
}

#[test]
fn what_is_not_stored_may_change() {
    let clean = copy_of("clean");
    run_on(clean.path(), &["lock"]);
    let orders = clean.path().join("orders/src/lib.rs");
    edit(&orders, "key = \"tenant_id + op + order_no\"", "ttl = \"90d\", key = tenant_id + order_no");
    edit(&orders, "pub async fn create(", "async fn create_it(");
    edit(&orders, "    create(", "    create_it(");
    edit(&orders, "-> Result<Order, Error> {\n    mailer", "-> Result< Order , Error >\n{\n    mailer");
    let run = run_on(clean.path(), &["lock", "--check"]);
    assert_eq!((run.code, run.output.as_str()), (0, "3 operations in 2 files: nothing found\n"));
}

#[test]
fn a_renamed_parameter_changes_no_record_and_is_noted() {
    let clean = copy_of("clean");
    run_on(clean.path(), &["lock"]);
    let orders = clean.path().join("orders/src/lib.rs");
    edit(&orders, "tenant_id + op + order_no", "tenant_id + op + number");
    edit(&orders, "order_no: String, body", "number: String, payload");
    edit(&orders, "validate = \"body\"", "validate = \"payload\"");
    let run = run_on(clean.path(), &["lock", "--check"]);
    assert_eq!((run.code, run.output.as_str()), (0, "3 operations in 2 files: nothing found\n"));
    let note = "note: the lock file describes `orders.create` in other words, and the records are the same; \
                `cargo idempotent lock` updates it\n";
    assert_eq!(run.errors, note);
    assert_eq!(run_on(clean.path(), &["check"]).code, 0);
    run_on(clean.path(), &["lock"]);
    assert_eq!(run_on(clean.path(), &["lock", "--check"]).errors, "");
    edit(&orders, "number: String", "number: Uuid");
    let run = run_on(clean.path(), &["lock", "--check"]);
    let message = "error: the type in the key of `orders.create` is `Uuid`; in the lock file it is `plain`\n";
    assert!(run.code == 1 && run.output.starts_with(message), "{}", run.output);
}

#[test]
fn a_parameter_that_takes_the_place_of_another_is_a_change() {
    let clean = copy_of("clean");
    let orders = clean.path().join("orders/src/lib.rs");
    edit(&orders, "order_no: String, body: Body", "order_no: String, parcel_no: String");
    edit(&orders, "validate = \"body\"", "validate = \"parcel_no\"");
    run_on(clean.path(), &["lock"]);
    edit(&orders, "tenant_id + op + order_no", "tenant_id + op + parcel_no");
    let run = run_on(clean.path(), &["lock", "--check"]);
    let message = "error: the key of `orders.create` is `tenant_id + parcel_no`; \
                   in the lock file it is `tenant_id + order_no`\n";
    assert!(run.code == 1 && run.output.starts_with(message), "{}", run.output);
}

#[test]
fn an_allowed_change_leaves_a_stale_file_and_is_noted() {
    let clean = copy_of("clean");
    run_on(clean.path(), &["lock"]);
    let orders = clean.path().join("orders/src/lib.rs");
    let allow = ", allow(key-changed, reason = \"nothing is live yet\")";
    edit(&orders, "tenant_id + op + order_no\"", &format!("order_no + op + tenant_id\"{allow}"));
    let run = run_on(clean.path(), &["lock", "--check"]);
    assert_eq!((run.code, run.output.as_str()), (0, "3 operations in 2 files: nothing found\n"));
    let note = "note: allowed: the key of `orders.create` is `order_no + tenant_id`; in the lock file it is \
                `tenant_id + order_no`; bring the file up to date with `cargo idempotent lock`\n";
    assert_eq!(run.errors, note);
}

#[test]
fn a_changed_field_behind_a_result_is_found() {
    let clean = copy_of("clean");
    let orders = clean.path().join("orders/src/lib.rs");
    let text = fs::read_to_string(&orders).unwrap();
    let definitions = "/// An order.\npub struct Order { pub number: u64, pub lines: Vec<Line> }\n\
                       pub struct Line { amount: u64, next: Option<Box<Line>> }\n\
                       pub enum Error { Late }\n#[cfg(test)] pub struct Line { other: u8 }\n";
    fs::write(&orders, text + definitions).unwrap();
    run_on(clean.path(), &["lock"]);
    let file = fs::read_to_string(clean.path().join("idempotency.lock")).unwrap();
    assert_eq!(file.matches("result-types = [\"Line ").count(), 1, "{file}");
    edit(&orders, "/// An order.\npub struct Order { pub number: u64, pub", "struct Order { number: u64,");
    edit(&orders, "Late }", "Late, Lost }");
    assert_eq!(run_on(clean.path(), &["lock", "--check"]).code, 0, "nothing of it is recorded");
    edit(&orders, "amount: u64", "amount: String");
    let run = run_on(clean.path(), &["lock", "--check"]);
    assert_snapshot("definition.txt", &run.output);
    assert_eq!(run.code, 1);
    // Two types of one name: which of them is meant takes a compiler.
    let text = fs::read_to_string(&orders).unwrap();
    fs::write(&orders, text + "mod old { pub struct Line; }\n").unwrap();
    assert_eq!(run_on(clean.path(), &["lock", "--check"]).code, 0);
}

#[test]
fn a_type_behind_several_results_is_one_finding() {
    let clean = copy_of("clean");
    let orders = clean.path().join("orders/src/lib.rs");
    edit(&orders, "Result<(), Box<dyn std::error::Error + Send + Sync>>", "Result<Order, Late>");
    let text = fs::read_to_string(&orders).unwrap();
    fs::write(&orders, text + "pub struct Order { pub number: u64 }\n").unwrap();
    run_on(clean.path(), &["lock"]);
    edit(&orders, "pub number: u64", "pub number: String");
    let run = run_on(clean.path(), &["check"]);
    assert_snapshot("definition_of_several.txt", &run.output);
    assert_eq!(run.code, 1);
    // Who allows it is not counted in.
    edit(&orders, "lease = \"60s\"", "lease = \"60s\", allow(key-changed, reason = \"nothing is live\")");
    let output = run_on(clean.path(), &["check"]).output;
    assert!(output.contains("`Order`, in the result of `orders.create`, has other fields"), "{output}");
    assert_eq!(output.matches("error: ").count(), 1, "{output}");
}

#[test]
fn what_cannot_be_read_is_not_called_gone() {
    let clean = copy_of("clean");
    run_on(clean.path(), &["lock"]);
    let orders = clean.path().join("orders/src/lib.rs");
    let text = fs::read_to_string(&orders).unwrap();
    fs::write(&orders, text.clone() + "fn half(").unwrap();
    let run = run_on(clean.path(), &["lock", "--check"]);
    assert!(!run.output.contains("no operation is called"), "{}", run.output);
    assert_eq!(
        run.errors.matches("does not parse").count() + run.output.matches("does not parse").count(),
        1
    );
    assert_eq!(run.code, 2);
    fs::write(&orders, "").unwrap();
    let run = run_on(clean.path(), &["lock", "--check"]);
    assert_eq!(run.output.matches("no operation is called").count(), 2, "{}", run.output);
}

#[test]
fn renamed_operations_are_gone_and_new() {
    let clean = copy_of("clean");
    run_on(clean.path(), &["lock"]);
    edit(&clean.path().join("orders/src/lib.rs"), "orders.ship", "orders.send");
    let run = run_on(clean.path(), &["lock", "--check"]);
    assert_snapshot("renamed.txt", &run.output);
    assert_eq!(run.code, 1);
    // A new operation is no danger: only the strict comparison names it.
    assert_eq!(run_on(clean.path(), &["check"]).code, 0);
}

#[test]
fn one_package_alone_keeps_the_entries_of_others() {
    let clean = copy_of("clean");
    run_on(clean.path(), &["lock"]);
    edit(
        &clean.path().join("billing/src/main.rs"),
        "tenant_id + op + invoice_no",
        "tenant_id + op + 'v2' + invoice_no",
    );
    let run = run_on(clean.path(), &["lock", "--check", "-p", "orders"]);
    assert_eq!((run.code, run.output.as_str()), (0, "2 operations in 1 file: nothing found\n"));
    let run = run_on(clean.path(), &["lock", "-p", "billing"]);
    assert_eq!(run.output, "idempotency.lock: 3 operations\n");
    assert_eq!(run_on(clean.path(), &["lock", "--check"]).code, 0);
}

#[test]
fn a_missing_or_foreign_file_cannot_be_compared() {
    let clean = copy_of("clean");
    let run = run_on(clean.path(), &["lock", "--check"]);
    assert_eq!(run.code, 2);
    assert!(run.errors.contains("idempotency.lock is missing"), "{}", run.errors);
    let file = clean.path().join("idempotency.lock");
    fs::write(&file, "format = 9\n").unwrap();
    let run = run_on(clean.path(), &["check"]);
    assert_eq!(run.code, 2);
    assert!(run.errors.contains("has format 9; this version reads format 1"), "{}", run.errors);
    fs::write(&file, "format = 1\n[[operation]]\nname = 3\n").unwrap();
    let run = run_on(clean.path(), &["lock", "--check"]);
    assert_eq!(run.code, 2);
    assert!(run.errors.contains("not as `cargo idempotent lock` writes it"), "{}", run.errors);
}

#[test]
fn nothing_is_written_while_something_cannot_be_read() {
    for name in ["broken", "shop"] {
        let copy = copy_of(name);
        let run = run_on(copy.path(), &["lock"]);
        assert_eq!(run.code, 2, "{name}");
        assert!(run.errors.contains("is missing from the lock file"), "{}", run.errors);
        assert!(!copy.path().join("idempotency.lock").exists());
    }
    assert!(
        !fixture("clean").join("idempotency.lock").exists(),
        "fixtures are copied before they are locked"
    );
}
