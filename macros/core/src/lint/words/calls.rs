//! Calls: those whose value is another one each time, by the name of the function or its last two segments, and those
//! that tell whether a body throws an error away.

/// Draw at random.
pub(crate) const GENERATORS: &[&str] = &[
    "DefaultHasher",
    "Ksuid::generate",
    "Ksuid::new",
    "ObjectId::new",
    "OsRng",
    "RandomState",
    "TypeId::new",
    "TypeIdPrefix::new",
    "Ulid::generate",
    "Ulid::new",
    "create_id",
    "cuid",
    "cuid2",
    "fastrand",
    "from_random_bytes",
    "getrandom",
    "nanoid",
    "new_ulid",
    "new_v1",
    "new_v4",
    "new_v6",
    "new_v7",
    "next_id",
    "now_v1",
    "now_v6",
    "now_v7",
    "rand",
    "random",
    "svix_ksuid",
    "thread_rng",
    "xid",
];

/// Read a clock.
pub(crate) const CLOCKS: &[&str] = &[
    "UNIX_EPOCH",
    "duration_since",
    "elapsed",
    "now",
    "now_local",
    "now_utc",
    "precise_time_ns",
    "timestamp",
    "timestamp_micros",
    "timestamp_millis",
    "timestamp_nanos",
    "unix_timestamp",
    "utc_now",
];

/// Ask the tracing library.
pub(crate) const TRACING: &[&str] = &["Span::current", "current_span", "span_context", "span_id", "trace_id"];

/// Write a value in a form that may differ, or name a process, a thread or a host.
pub(crate) const UNSTABLE: &[&str] = &[
    "addr_of",
    "as_ptr",
    "env::var",
    "gethostname",
    "hostname",
    "process::id",
    "thread::current",
    "type_name",
    "type_name_of_val",
];

/// What an external service calls its idempotency key: methods, fields, variables and headers.
pub(crate) const EXTERNAL_KEYS: &[&str] = &[
    "client_request_token",
    "client_token",
    "idem_key",
    "idempotence_key",
    "idempotency_key",
    "idempotency_token",
    "message_deduplication_id",
    "x_idempotency_key",
];

/// First words of functions that only read: if one fails, nothing is left undone. Some of them give no `Result` at
/// all, but an `Option`, or the guard of a lock.
pub(crate) const READS: &[&str] = &[
    "acquire",
    "cancelled",
    "changed",
    "closed",
    "contains",
    "count",
    "describe",
    "exists",
    "fetch",
    "find",
    "get",
    "has",
    "head",
    "is",
    "list",
    "load",
    "lock",
    "lookup",
    "next",
    "notified",
    "peek",
    "poll",
    "pop",
    "query",
    "read",
    "recv",
    "scan",
    "search",
    "select",
    "sleep",
    "tick",
    "wait",
    "yield",
];

/// Last methods of a request that was built before: what it does is said by a method before.
pub(crate) const SENDERS: &[&str] = &["call", "execute", "into_future", "send"];

/// Methods that put something into a channel, and last words of names of channels: nothing is undone if nobody
/// listens.
pub(crate) const CHANNEL_SENDS: &[&str] = &["blocking_send", "send", "try_send", "unbounded_send"];
pub(crate) const CHANNELS: &[&str] = &["chan", "channel", "tx"];

/// Methods that put something around an error.
pub(crate) const WRAPPERS: &[&str] = &["context", "with_context", "wrap_err", "wrap_err_with"];

/// Methods that keep what they are given, so that what follows can look at it.
pub(crate) const COLLECTORS: &[&str] = &[
    "add",
    "append",
    "entry",
    "extend",
    "fetch_add",
    "insert",
    "push",
    "push_back",
    "push_str",
    "remove",
    "replace",
    "retain",
    "send",
    "set",
    "store",
    "swap",
    "take",
    "write",
];

/// Methods that read the body of a response.
pub(crate) const RESPONSE_BODIES: &[&str] = &["bytes", "json", "text"];

/// Words in names of variables that are kept only to be dropped later.
pub(crate) const GUARDS: &[&str] = &["entered", "guard", "held", "hold", "keep", "lock", "permit", "span"];

/// Macros that write to a log or count.
pub(crate) const LOG_MACROS: &[&str] = &[
    "counter", "dbg", "debug", "eprint", "eprintln", "error", "event", "info", "log", "print", "println",
    "trace", "warn",
];

/// First words of functions that do the same.
pub(crate) const LOG_VERBS: &[&str] = &["inc", "increment", "log", "warn"];
