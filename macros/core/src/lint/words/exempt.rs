//! Arguments that need no cover: tools of the function, not part of the request. Names of types and of arguments,
//! not of parts; and bounds that make no other operation.

/// The last segment of the type, in any smart pointer.
pub(crate) const TYPES: &[&str] = &[
    "AnyStore",
    "Client",
    "Clock",
    "Connection",
    "Context",
    "Db",
    "Extension",
    "LambdaContext",
    "Pool",
    "Runtime",
    "Sender",
    "State",
    "Store",
    "Transaction",
];

/// Ends of that segment.
pub(crate) const SUFFIXES: &[&str] = &["Client", "Pool", "Repository", "Service", "Store"];

/// Ends of that segment that say the same of a shared value, `&SmtpMailer` or `Arc<SmtpMailer>`. By value it may be
/// what the request is about, as the gateway to pay by, and the user decides.
pub(crate) const TOOL_SUFFIXES: &[&str] =
    &["Gateway", "Mailer", "Notifier", "Producer", "Publisher", "Sender"];

/// Ends of that segment of what every call carries along. It is not exempt, but nothing to compare either.
pub(crate) const CARRIED_TYPES: &[&str] =
    &["Cache", "CancellationToken", "Logger", "Meter", "Metrics", "Span", "Telemetry", "Tracer"];

/// Ends of that segment that say the same of a shared value.
pub(crate) const CARRIED_SHARED: &[&str] = &["Config", "Configuration", "Settings"];

/// Names of arguments that say the same.
pub(crate) const CARRIED_NAMES: &[&str] =
    &["cache", "cancel", "cancellation", "cfg", "logger", "metrics", "shutdown", "span", "tracer"];

/// The name of the argument.
pub(crate) const NAMES: &[&str] =
    &["client", "clock", "conn", "context", "ctx", "db", "pool", "self", "state", "store", "tx"];

/// Bounds of a type parameter behind which the function sees one type, or calls something.
pub(crate) const CONVERSIONS: &[&str] = &[
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Borrow",
    "Deref",
    "Display",
    "Fn",
    "FnMut",
    "FnOnce",
    "Into",
    "ToString",
    "TryInto",
];
