//! A workspace of 300 annotated functions in 100 files.

mod common;

use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

use common::run_on;

#[test]
fn three_hundred_functions_in_a_hundred_files_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("src");
    fs::create_dir(&source).unwrap();
    let manifest = "[package]\nname = \"large\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
                    [package.metadata.idempotency]\nside-effects = [\"charge\"]\n\n[workspace]\n";
    fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    let mut root = String::new();
    for file in 0..100 {
        writeln!(root, "mod part_{file};").unwrap();
        let functions: String = (0..3).map(|number| function(file * 3 + number)).collect();
        fs::write(source.join(format!("part_{file}.rs")), functions).unwrap();
    }
    fs::write(source.join("lib.rs"), root).unwrap();
    let start = Instant::now();
    let run = run_on(folder.path(), &["check"]);
    println!("300 annotated functions in 100 files: {:?}", start.elapsed());
    assert_eq!((run.code, run.output.as_str()), (0, "300 operations in 101 files: nothing found\n"));
}

/// An annotated function with a body of a usual length, and a handler that calls it.
fn function(number: usize) -> String {
    let mut body = String::new();
    for line in 0..20 {
        writeln!(body, "    let value_{line} = db.load(&order.lines[{line}], order.amount + {line}).await?;")
            .unwrap();
    }
    format!(
        "#[idempotent(key = \"tenant_id + op + order.order_no\", validate = \"order - order.requested_at\", ttl = \"7d\", ignore(db))]\n\
         pub async fn create_{number}(tenant_id: u64, order: Order, db: Db) -> Result<Receipt, Error> {{\n{body}    \
         charge(&order).await?;\n    Ok(Receipt::of(&order))\n}}\n\n\
         pub async fn handle_{number}(request: Request, db: Db) -> Result<Receipt, Error> {{\n    \
         create_{number}(request.tenant_id, request.order, db).await\n}}\n\n"
    )
}
