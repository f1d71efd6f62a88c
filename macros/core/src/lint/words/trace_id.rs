//! Ids of tracing.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[
    (
        &[
            "amzn_trace_id",
            "aws_trace_header",
            "b3",
            "baggage",
            "dd_trace_id",
            "otel_trace_id",
            "parent_span_id",
            "root_trace_id",
            "sentry_trace",
            "span",
            "span_id",
            "trace_id",
            "traceid",
            "traceparent",
            "tracestate",
            "x_amzn_trace_id",
            "x_b3_spanid",
            "x_b3_traceid",
            "x_cloud_trace_context",
            "xray_trace_id",
        ],
        Rule::Plain,
    ),
    // Some producers do set one per business operation.
    (&["causation_id", "correlation_id", "x_correlation_id"], Rule::Warned),
];
