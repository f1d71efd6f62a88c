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
