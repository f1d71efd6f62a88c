//! What the example prints.

use std::collections::BTreeMap;

use comfy_table::{Table, presets};
use idempotency::ErrorKind;

use crate::ledger::Entry;
use crate::worker::{Delivery, Happened};

/// One row per delivery.
pub(crate) fn deliveries(deliveries: &[Delivery]) -> Table {
    let mut table = new_table(&["#", "message", "receive", "key", "what happened", "attempt", "ms"]);
    for (number, delivery) in deliveries.iter().enumerate() {
        table.add_row([
            (number + 1).to_string(),
            delivery.message_id.chars().take(8).collect(),
            delivery.receive_count.to_string(),
            delivery.key.clone().unwrap_or_else(|| "-".into()),
            sentence(&delivery.happened),
            delivery.attempt.map_or_else(|| "-".into(), |attempt| attempt.to_string()),
            delivery.took.as_millis().to_string(),
        ]);
    }
    table
}

/// How often each thing happened.
pub(crate) fn summary(deliveries: &[Delivery]) -> String {
    let mut counts = BTreeMap::new();
    for delivery in deliveries {
        *counts.entry(word(&delivery.happened)).or_insert(0) += 1;
    }
    let counts: Vec<_> = counts.into_iter().map(|(word, count)| format!("{count} {word}")).collect();
    format!("{} deliveries: {}", deliveries.len(), counts.join(", "))
}

/// One row per order.
pub(crate) fn ledger(entries: &[Entry]) -> Table {
    let mut table = new_table(&["tenant", "order", "amount", "in the ledger", "charge requests"]);
    for entry in entries {
        let amount = format!("{}.{:02}", entry.amount_cents / 100, entry.amount_cents % 100);
        table.add_row([
            entry.tenant_id.clone(),
            entry.order_no.clone(),
            amount,
            entry.times.to_string(),
            entry.asked.to_string(),
        ]);
    }
    table
}

fn new_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    table
}

fn word(happened: &Happened) -> &'static str {
    match happened {
        Happened::Executed => "executed",
        Happened::TakenOver => "taken over",
        Happened::Replayed => "replayed",
        Happened::InProgress(_) => "in progress",
        Happened::Released(_) => "released",
        Happened::Refused(ErrorKind::Mismatch, _) => "mismatch",
        Happened::Refused(ErrorKind::MissingKeyPart, _) => "missing key part",
        Happened::Refused(..) => "failed",
        Happened::Unreadable(_) => "unreadable",
    }
}

fn sentence(happened: &Happened) -> String {
    let word = word(happened);
    match happened {
        Happened::Executed | Happened::Replayed => word.into(),
        Happened::TakenOver => format!("{word}: the owner before had died; executed"),
        Happened::InProgress(_) => format!("{word} elsewhere; comes again"),
        Happened::Released(why) => format!("{word}: {why}; comes again"),
        Happened::Refused(ErrorKind::Mismatch, _) => {
            format!("{word}: same order, other content; to the dead letters")
        }
        Happened::Refused(ErrorKind::MissingKeyPart, _) => {
            format!("{word}: no order number; to the dead letters")
        }
        Happened::Refused(_, why) | Happened::Unreadable(why) => {
            format!("{word}: {why}; to the dead letters")
        }
    }
}
