//! Ids that a redelivery keeps, and that are new when the producer sends again or an operator redrives.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[
    (
        &[
            "kinesis_event_id",
            "offset",
            "sequence_number",
            "sequencer",
            "shard_sequence_number",
            "sns_message_id",
            "sqs_message_id",
        ],
        Rule::Plain,
    ),
    // A message of a chat is business, and so is an id that the producer put into the payload.
    (&["message_id"], Rule::GoodFromPayload(&["chat_id", "channel_id", "channel"])),
];
