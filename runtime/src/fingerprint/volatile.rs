//! Names of fields that look as if their values changed with every request.
//!
//! A fingerprint over one of them refuses every retry as a mismatch. The names prove nothing, so they only lead to a
//! warning and to a sentence in the mismatch error.

/// Whether names are looked at, and the first that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Volatile {
    #[default]
    Ignored,
    Looking,
    Found(String),
}

impl Volatile {
    pub(super) fn is_looking(&self) -> bool {
        *self == Self::Looking
    }

    /// Takes note of a field that is compared.
    pub(super) fn note(&mut self, name: String) {
        if self.is_looking() && looks_volatile(&name) {
            *self = Self::Found(name);
        }
    }
}

fn looks_volatile(name: &str) -> bool {
    let name = name.to_lowercase().replace('-', "_");
    WORDS.contains(&name.as_str()) || SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}

const WORDS: &[&str] = &[
    "timestamp",
    "ts",
    "now",
    "nonce",
    "request_id",
    "requestid",
    "trace_id",
    "traceid",
    "traceparent",
    "attempt",
];
const SUFFIXES: &[&str] = &["_at", "_ts", "_timestamp", "_nonce", "timestampms"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::FingerprintBuilder;

    #[test]
    fn clocks_and_nonces_look_volatile_and_business_names_do_not() {
        for name in ["sent_at", "timestamp", "Timestamp", "x-request-id".trim_start_matches("x-"), "nonce"] {
            assert!(looks_volatile(name), "{name}");
        }
        for name in
            ["order_no", "amount", "format", "seat", "order_date", "client_request_id", "attempts_left"]
        {
            assert!(!looks_volatile(name), "{name}");
        }
    }

    #[test]
    fn the_first_name_is_kept_and_only_when_names_are_looked_at() {
        let found = |looks: bool| {
            let mut builder = FingerprintBuilder::new();
            if looks {
                builder.look_at_names();
            }
            let body = serde_json::json!({ "amount": 1, "nonce": 2, "sent_at": 3 });
            builder.include(&body, &[]).unwrap();
            builder.volatile_name().map(str::to_owned)
        };
        assert_eq!(found(true), Some("nonce".to_owned()));
        assert_eq!(found(false), None);
    }
}
