//! Amazon SQS events, in the shape in which Lambda delivers them.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

/// One invocation: the records that are delivered together.
#[derive(Debug, Deserialize)]
pub(crate) struct SqsEvent {
    #[serde(rename = "Records")]
    pub(crate) records: Vec<SqsRecord>,
}

/// One delivery of one message.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SqsRecord {
    /// Stays the same when the queue delivers again, is new when the producer sends again.
    pub(crate) message_id: String,
    pub(crate) body: String,
    #[serde(default)]
    pub(crate) attributes: HashMap<String, String>,
    #[serde(default)]
    pub(crate) message_attributes: HashMap<String, MessageAttribute>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessageAttribute {
    pub(crate) string_value: Option<String>,
}

impl SqsRecord {
    /// How often the queue has delivered this message, this time included.
    pub(crate) fn receive_count(&self) -> u32 {
        self.attributes.get("ApproximateReceiveCount").and_then(|count| count.parse().ok()).unwrap_or(1)
    }

    /// The same message, delivered once more.
    pub(crate) fn redelivered(mut self) -> Self {
        let count = self.receive_count() + 1;
        self.attributes.insert("ApproximateReceiveCount".into(), count.to_string());
        self
    }

    /// Whether the payment provider shall be down when this message is delivered for the first time.
    pub(crate) fn provider_is_down(&self) -> bool {
        let simulate =
            self.message_attributes.get("Simulate").and_then(|attribute| attribute.string_value.as_deref());
        simulate == Some("provider_down_once") && self.receive_count() == 1
    }
}

/// The body of a message.
#[allow(clippy::struct_field_names, reason = "the names are the producer's")]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) tenant_id: String,
    pub(crate) order_no: Option<String>,
    pub(crate) amount_cents: u32,
    pub(crate) currency: String,
    #[serde(default)]
    pub(crate) lines: Vec<Line>,
    /// When the producer sent it; new in every try.
    pub(crate) sent_at: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) sku: String,
    pub(crate) quantity: u32,
}

/// Reads all events of a file, of a folder's `.json` and `.jsonl` files in the order of their names, or of
/// standard input (`-`). A file holds one event or several, one after another.
pub(crate) fn read(input: &Path) -> anyhow::Result<Vec<SqsEvent>> {
    if input == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("standard input could not be read")?;
        return parse("standard input", &text);
    }
    if !input.is_dir() {
        return parse_file(input);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(input).with_context(|| input.display().to_string())? {
        files.push(entry?.path());
    }
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json" || ending == "jsonl"));
    files.sort();
    if files.is_empty() {
        bail!("{}: no .json or .jsonl file in this folder", input.display());
    }
    let events: Vec<_> = files.iter().map(|file: &PathBuf| parse_file(file)).collect::<Result<_, _>>()?;
    Ok(events.into_iter().flatten().collect())
}

fn parse_file(file: &Path) -> anyhow::Result<Vec<SqsEvent>> {
    let name = file.display().to_string();
    let text = fs::read_to_string(file).with_context(|| format!("{name} could not be read"))?;
    parse(&name, &text)
}

fn parse(name: &str, text: &str) -> anyhow::Result<Vec<SqsEvent>> {
    let events: Vec<SqsEvent> = serde_json::Deserializer::from_str(text)
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(|error| {
            anyhow::anyhow!(
                "{name}: this is not an SQS event as Lambda delivers it: {error}\n  expected \
                 {{\"Records\": [{{\"messageId\": …, \"body\": …, \"attributes\": {{…}}}}]}}; nothing was executed"
            )
        })?;
    if events.is_empty() {
        bail!("{name}: no event in it; nothing was executed");
    }
    Ok(events)
}
