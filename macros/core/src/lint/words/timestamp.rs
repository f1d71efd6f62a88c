//! Clock values.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[
    (
        &[
            "age_header",
            "approximate_arrival_timestamp",
            "approximate_first_receive_timestamp",
            "arrival_time",
            "arrived_at",
            "created",
            "created_at",
            "created_date",
            "created_on",
            "created_time",
            "creation_time",
            "current_time",
            "date_header",
            "date_time",
            "datetime",
            "deadline",
            "enqueued_at",
            "epoch_time",
            "exp",
            "expires_at",
            "iat",
            "if_modified_since",
            "ingested_at",
            "last_modified",
            "last_seen",
            "millis",
            "modified",
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
            "time_of_request",
            "timestamp",
            "ts",
            "unix_time",
            "unix_timestamp",
            "updated_at",
        ],
        Rule::Plain,
    ),
    // It may be the number of a term or of a reign.
    (&["epoch"], Rule::Warned),
];

/// Ends of names that are clock values, unless a list says otherwise.
pub(super) const SUFFIXES: &[&str] = &["_at", "_ts", "_timestamp"];

/// Units behind a name: `created_ms` is what `created` is.
pub(super) const UNITS: &[&str] = &[
    "_epoch",
    "_micros",
    "_microseconds",
    "_millis",
    "_milliseconds",
    "_ms",
    "_nanos",
    "_nanoseconds",
    "_ns",
    "_secs",
    "_seconds",
    "_us",
];

/// Units of the clock, which few other values are given in.
pub(super) const CLOCK_UNITS: &[&str] = &["_micros", "_millis", "_milliseconds", "_ms", "_nanos"];

/// Names that are clock values with a unit behind them.
pub(super) const WITH_UNIT: &[&str] = &[
    "arrival",
    "elapsed",
    "enqueued",
    "epoch",
    "ingested",
    "modified",
    "now",
    "processed",
    "published",
    "received",
    "request",
    "requested",
    "sent",
    "started",
    "submitted",
    "unix",
    "updated",
    "uptime",
    "wall_clock",
];

/// Last words of what is no clock value in any unit: durations, and places in something.
pub(super) const DURATIONS: &[&str] = &[
    "age",
    "backoff",
    "begin",
    "budget",
    "cooldown",
    "delay",
    "duration",
    "end",
    "gap",
    "grace",
    "interval",
    "length",
    "lifetime",
    "limit",
    "offset",
    "pause",
    "period",
    "position",
    "rate",
    "retention",
    "size",
    "start",
    "step",
    "timeout",
    "tolerance",
    "ttl",
    "validity",
    "wait",
    "window",
];
