//! Counters and handles of a delivery.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[
    (
        &[
            "ack_id",
            "approximate_receive_count",
            "attempt",
            "attempt_no",
            "attempt_number",
            "attempts",
            "delivery_attempt",
            "delivery_count",
            "dequeue_count",
            "lock_token",
            "num_delivered",
            "receipt_handle",
            "receive_count",
            "redelivered",
            "redelivery_count",
            "retries",
            "retry",
            "retry_count",
            "retry_index",
            "retry_no",
            "try_count",
            "x_death",
            "x_retry_count",
        ],
        Rule::Plain,
    ),
    // Equal for equal bytes in different objects: it says something only beside the object's key.
    (&["e_tag", "etag"], Rule::WarnedAlone),
];
