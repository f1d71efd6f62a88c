//! What kind of request it is: many requests share it.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[(
    &[
        "action",
        "bucket",
        "category",
        "currency",
        "date",
        "detail_type",
        "event_name",
        "event_type",
        "kind",
        "message_group_id",
        "method",
        "op",
        "operation",
        "partition",
        "partition_key",
        "path",
        "queue",
        "queue_url",
        "route_key",
        "shard_id",
        "source",
        "state",
        "status",
        "topic",
        "topic_arn",
        "type",
    ],
    Rule::Plain,
)];
