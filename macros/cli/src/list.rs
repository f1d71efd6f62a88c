//! `cargo idempotent list`: one row per operation.

use comfy_table::{Table, presets};
use serde::Serialize;

use crate::annotated::Annotated;
use crate::error::Error;
use crate::shown::compact;
use crate::walk::Walked;

/// One operation.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Row {
    name: String,
    package: String,
    /// The path of the function within its target.
    function: String,
    key: String,
    fingerprint: String,
    ttl: String,
    /// Absent: the default of the runtime.
    lease: Option<String>,
    /// How late a duplicate can come, and how that adds up; absent without `source`.
    source_window: Option<String>,
    file: String,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct Listing<'a> {
    version: u32,
    operations: &'a [Row],
}

/// All operations, sorted by name.
pub(crate) fn rows(walked: &Walked) -> Vec<Row> {
    let mut rows: Vec<Row> = walked.annotated.iter().filter_map(|annotated| row(annotated, walked)).collect();
    rows.sort_by(|a, b| (&a.name, &a.file, a.line).cmp(&(&b.name, &b.file, b.line)));
    rows
}

fn row(annotated: &Annotated, walked: &Walked) -> Option<Row> {
    let operation = annotated.operation.as_ref().filter(|operation| operation.is_complete())?;
    let place = annotated.places.name.start();
    Some(Row {
        name: operation.name().to_owned(),
        package: walked.packages[annotated.context.package].name.clone(),
        function: annotated.path(),
        key: operation.key_shape(),
        fingerprint: operation.fingerprint(),
        ttl: operation.ttl_text().map(|text| compact(&text)).unwrap_or_default(),
        lease: operation.lease_text().map(|text| compact(&text)),
        source_window: operation.window().map(|window| window.text),
        file: annotated.places.name.source.path.to_string(),
        line: place.line,
        column: place.column,
    })
}

/// The rows as a table.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["operation", "key", "fingerprint", "TTL", "lease", "source window", "where"]);
    for row in rows {
        table.add_row([
            row.name.clone(),
            row.key.clone(),
            row.fingerprint.clone(),
            row.ttl.clone(),
            row.lease.clone().unwrap_or_else(|| "default".to_owned()),
            row.source_window.clone().unwrap_or_else(|| "-".to_owned()),
            format!("{}:{}", row.file, row.line),
        ]);
    }
    table.trim_fmt() + "\n"
}

/// The rows as JSON.
pub(crate) fn json(rows: &[Row]) -> Result<String, Error> {
    Ok(serde_json::to_string_pretty(&Listing { version: 1, operations: rows })? + "\n")
}
