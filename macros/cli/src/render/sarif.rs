//! SARIF 2.1.0, as code scanning services read it.

use idempotency_macros_core::Level;
use idempotency_macros_core::lint::{Lint, find};
use serde::Serialize;
use serde_json::{Value, json};

use super::Checked;
use crate::error::Error;
use crate::finding::{Finding, Severity};
use crate::source::Location;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Value,
    /// What was not checked is a notification of the run, not a result.
    invocations: [Invocation; 1],
    results: Vec<SarifResult>,
    /// Columns count characters, as in the other forms.
    column_kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
    locations: [SarifLocation; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    level: &'static str,
    message: Message,
    locations: [SarifLocation; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<SarifLocation>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLocation {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Value,
    region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

pub(super) fn render(checked: &Checked) -> Result<String, Error> {
    let notifications = checked.hidden.iter().map(|hidden| Notification {
        level: if hidden.is_fatal() { "error" } else { "note" },
        message: Message { text: format!("not checked: {}", hidden.what) },
        locations: [location(&hidden.location, None, None)],
    });
    let invocation = Invocation {
        execution_successful: !checked.is_incomplete(),
        tool_execution_notifications: notifications.collect(),
    };
    let run = Run {
        tool: tool(checked),
        invocations: [invocation],
        results: checked.findings.iter().map(result).collect(),
        column_kind: "unicodeCodePoints",
    };
    let log = Log { schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
    Ok(serde_json::to_string_pretty(&log)? + "\n")
}

fn tool(checked: &Checked) -> Value {
    let mut codes: Vec<&str> = checked.findings.iter().map(|finding| finding.code).collect();
    codes.sort_unstable();
    codes.dedup();
    json!({ "driver": {
        "name": "cargo-idempotent",
        "version": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": codes.into_iter().map(rule).collect::<Vec<_>>(),
    }})
}

/// A lint with its page, or a mistake of grammar, which has none.
fn rule(code: &str) -> Value {
    match find(code) {
        Some(Lint { summary, explain, level, .. }) => json!({
            "id": code,
            "shortDescription": { "text": summary },
            "help": { "text": explain, "markdown": explain },
            "defaultConfiguration": { "level": if *level == Level::Error { "error" } else { "warning" } },
        }),
        None => json!({ "id": code, "defaultConfiguration": { "level": "error" } }),
    }
}

fn result(finding: &Finding) -> SarifResult {
    let help = finding.help.iter().map(|help| format!("\nhelp: {help}"));
    let notes = finding.notes.iter().map(|note| format!("\nnote: {note}"));
    let text = std::iter::once(finding.message.clone()).chain(help).chain(notes).collect();
    let related = finding.related.iter().enumerate();
    SarifResult {
        rule_id: finding.code,
        level: if finding.severity == Severity::Error { "error" } else { "warning" },
        message: Message { text },
        locations: [location(&finding.location, None, None)],
        related_locations: related
            .map(|(index, (place, message))| location(place, Some(index + 1), Some(message)))
            .collect(),
    }
}

/// A file below the root of the workspace by its relative path, any other by its absolute one.
fn artifact(path: &str) -> Value {
    let encoded: String = path
        .bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect();
    if encoded.starts_with('/') {
        json!({ "uri": format!("file://{encoded}") })
    } else {
        json!({ "uri": encoded, "uriBaseId": "%SRCROOT%" })
    }
}

fn location(place: &Location, id: Option<usize>, message: Option<&str>) -> SarifLocation {
    let (start, end) = (place.start(), place.end());
    SarifLocation {
        id,
        physical_location: PhysicalLocation {
            artifact_location: artifact(place.source.path.as_str()),
            region: Region {
                start_line: start.line,
                start_column: start.column,
                end_line: end.line,
                end_column: end.column,
            },
        },
        message: message.map(|text| Message { text: text.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_addresses() {
        assert_eq!(artifact("src/a b.rs"), json!({ "uri": "src/a%20b.rs", "uriBaseId": "%SRCROOT%" }));
        assert_eq!(artifact("/ü.rs"), json!({ "uri": "file:///%C3%BC.rs" }));
    }
}
