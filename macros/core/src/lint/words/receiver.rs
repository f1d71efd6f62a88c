//! What a value is read from. These are no names of parts: the same word can stand in another list.

/// The circumstances of one invocation or delivery: what is read from them is new each time.
pub(crate) const CONTEXT: &[&str] = &[
    "attributes",
    "context",
    "ctx",
    "cx",
    "delivery",
    "headers",
    "lambda_context",
    "request_context",
    "request_headers",
    "response_elements",
];

/// What the producer or the caller wrote.
pub(crate) const PAYLOAD: &[&str] = &[
    "body", "chat", "cmd", "command", "data", "detail", "dto", "form", "input", "json", "order", "params",
    "payload", "query", "req", "request", "update",
];
