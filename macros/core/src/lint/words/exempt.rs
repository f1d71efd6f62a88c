//! Arguments that need no cover: tools of the function, not part of the request. Names of types and of arguments,
//! not of parts.

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

/// The name of the argument.
pub(crate) const NAMES: &[&str] =
    &["client", "clock", "conn", "context", "ctx", "db", "pool", "self", "state", "store", "tx"];
