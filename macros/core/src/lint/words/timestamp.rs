//! Clock values.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[(
    &[
        "approximate_arrival_timestamp",
        "approximate_first_receive_timestamp",
        "arrival_time",
        "arrived_at",
        "created_at",
        "current_time",
        "date_header",
        "deadline",
        "enqueued_at",
        "exp",
        "expires_at",
        "iat",
        "ingested_at",
        "last_modified",
        "modified_at",
        "nbf",
        "now",
        "processed_at",
        "received_at",
        "request_time",
        "request_time_epoch",
        "sent_at",
        "sent_timestamp",
        "time",
        "time_epoch",
        "timestamp",
        "ts",
        "unix_time",
        "updated_at",
    ],
    Rule::Plain,
)];

/// Ends of names that are clock values, unless a list says otherwise.
pub(super) const SUFFIXES: &[&str] = &["_at", "_ts", "_timestamp"];
