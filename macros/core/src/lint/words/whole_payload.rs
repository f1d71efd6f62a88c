//! Entire payloads, and digests of them.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[
    (
        &[
            "args",
            "body",
            "bytes",
            "command",
            "content",
            "data",
            "dto",
            "event",
            "headers",
            "input",
            "json",
            "md5_of_body",
            "message",
            "msg",
            "params",
            "payload",
            "query_string",
            "raw",
            "raw_body",
            "record",
            "records",
            "req",
            "request",
        ],
        Rule::Plain,
    ),
    (&["body_hash", "body_sha256", "checksum", "payload_hash", "request_hash"], Rule::Warned),
    // Of an uploaded file it names the file.
    (
        &["content_hash"],
        Rule::GoodFor(&["file", "upload", "object", "blob", "image", "document", "artifact"]),
    ),
];
