//! Calls that make a new value every time.

/// Whether a call of this path, or of a method of this name, makes an id or reads a clock.
pub(super) fn is_generator(segments: &[String]) -> bool {
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    match segments.as_slice() {
        [] => false,
        [.., "Uuid", "new_v1" | "new_v4" | "new_v6" | "new_v7" | "now_v1" | "now_v6" | "now_v7"] => true,
        [.., "Ulid" | "ObjectId" | "Ksuid", "new" | "generate"] => true,
        [.., last] => matches!(*last, "now" | "now_utc" | "utc_now" | "now_local" | "new_v4" | "new_v7" | "nanoid" | "elapsed"),
    }
}
