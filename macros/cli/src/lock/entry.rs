//! One operation of the lock file, and in what two of them differ.

use serde::{Deserialize, Serialize};

use super::definitions;
use crate::annotated::Annotated;
use crate::shown::compact;
use crate::walk::Walked;

/// One operation, as it is stored.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Entry {
    pub(super) name: String,
    pub(super) package: String,
    /// For people; what follows is compared.
    key: String,
    /// See [`idempotency_macros_core::Operation::stored_key`].
    stored_key: Vec<String>,
    fingerprint: String,
    stored_fingerprint: String,
    fingerprint_version: u32,
    result: String,
    /// Types of the package in the result, each with a digest of its fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    result_types: Vec<String>,
}

/// Which property of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Key,
    /// The type of a parameter in a key that is written as before.
    KeyType,
    Fingerprint,
    FingerprintVersion,
    Result,
    /// The fields of a type in a result that is written as before.
    Definition,
}

impl What {
    /// The name of its field in the file.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::KeyType => "stored-key",
            Self::Fingerprint => "fingerprint",
            Self::FingerprintVersion => "fingerprint-version",
            Self::Result => "result",
            Self::Definition => "result-types",
        }
    }

    /// What a change of it does to records that live.
    pub(crate) fn consequence(self) -> &'static str {
        match self {
            Self::Key => "requests that were handled under the old key are not recognised, and run again",
            Self::KeyType => {
                "if it is written in another way, requests that were handled are not recognised, and run again"
            }
            Self::Fingerprint | Self::FingerprintVersion => {
                "repeated requests do not match what was recorded for them, and are refused"
            }
            Self::Result => "outcomes recorded with the old type may not decode as the new one",
            Self::Definition => {
                "outcomes recorded with the old fields may not decode; a new `Option` field does"
            }
        }
    }

    /// What is not as it was.
    pub(crate) fn message(self, name: &str, was: &str, now: &str) -> String {
        let what = match self {
            Self::Key => "key",
            Self::KeyType => "type in the key",
            Self::Fingerprint => "fingerprint",
            Self::FingerprintVersion => "fingerprint version",
            Self::Result => "result type",
            Self::Definition => {
                return format!("`{now}`, in the result of `{name}`, has other fields than in the lock file");
            }
        };
        format!("the {what} of `{name}` is `{now}`; in the lock file it is `{was}`")
    }
}

impl Entry {
    /// `None` for tests, and for what has mistakes.
    pub(super) fn of(annotated: &Annotated, walked: &Walked) -> Option<Self> {
        let operation = annotated.operation.as_ref().filter(|operation| operation.is_complete())?;
        annotated.is_product().then(|| Self {
            name: operation.name().to_owned(),
            package: walked.packages[annotated.context.package].name.clone(),
            key: operation.key_shape(),
            stored_key: operation.stored_key(),
            fingerprint: operation.fingerprint(),
            stored_fingerprint: operation.stored_fingerprint(),
            fingerprint_version: FINGERPRINT_VERSION,
            result: compact(&operation.result_type()),
            result_types: definitions::of_result(&operation.result_type(), annotated.context.package, walked),
        })
    }

    /// Whether both are about one operation.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        self.name == other.name && self.package == other.package
    }

    /// The first property that differs, with both values.
    pub(super) fn difference(&self, now: &Self) -> Option<(What, String, String)> {
        if let Some(key) = self.key_difference(now) {
            return Some(key);
        }
        let version = |entry: &Self| entry.fingerprint_version.to_string();
        let is_compared_alike = self.stored_fingerprint == now.stored_fingerprint;
        let fingerprint = if is_compared_alike { &self.fingerprint } else { &now.fingerprint };
        let all = [
            (What::Fingerprint, self.fingerprint.clone(), fingerprint.clone()),
            (What::FingerprintVersion, version(self), version(now)),
            (What::Result, self.result.clone(), now.result.clone()),
        ];
        let definition = || {
            let name = definitions::changed(&self.result_types, &now.result_types)?;
            Some((What::Definition, name.to_owned(), name.to_owned()))
        };
        all.into_iter().find(|(_, was, now)| was != now).or_else(definition)
    }

    /// A parameter may be renamed, or may move under its name; not both at once, for then it may be another one.
    fn key_difference(&self, now: &Self) -> Option<(What, String, String)> {
        if self.stored_key == now.stored_key {
            return None;
        }
        if self.key != now.key {
            return Some((What::Key, self.key.clone(), now.key.clone()));
        }
        let parts = self.stored_key.iter().zip(&now.stored_key);
        let differing = parts.filter(|(was, now)| without_position(was) != without_position(now));
        let shown =
            |part: &str| part.rsplit_once(": ").map_or(part, |(_, ty)| ty.trim_end_matches(')')).to_owned();
        differing.map(|(was, now)| (What::KeyType, shown(was), shown(now))).next()
    }
}

/// `hash(#2.email)` as `hash(#.email)`; a text is what it is.
fn without_position(part: &str) -> String {
    match part.split_once('#') {
        Some((before, after)) if !part.starts_with('\'') => {
            format!("{before}#{}", after.trim_start_matches(|c: char| c.is_ascii_digit()))
        }
        _ => part.to_owned(),
    }
}

/// The version of the encoding that the runtime stores with every fingerprint.
const FINGERPRINT_VERSION: u32 = 1;

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn entry(name: &str) -> Entry {
        Entry {
            name: name.to_owned(),
            package: "shop".to_owned(),
            key: "order_no + 'a#1'".to_owned(),
            stored_key: vec!["#1: plain".to_owned(), "'a#1'".to_owned()],
            fingerprint: "body".to_owned(),
            stored_fingerprint: "#2".to_owned(),
            fingerprint_version: FINGERPRINT_VERSION,
            result: "Result<Order, Error>".to_owned(),
            result_types: vec!["Line 01".to_owned(), "Order 02".to_owned()],
        }
    }

    fn difference(change: impl FnOnce(&mut Entry)) -> Option<(What, String, String)> {
        let mut now = entry("a");
        change(&mut now);
        entry("a").difference(&now)
    }

    fn changed(what: What, was: &str, now: &str) -> (What, String, String) {
        (what, was.to_owned(), now.to_owned())
    }

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(difference(|_| ()), None);
        let result = |now: &mut Entry| now.result = "Result<(), Error>".to_owned();
        assert_eq!(difference(result).unwrap().0, What::Result);
        let key = |now: &mut Entry| {
            result(now);
            now.key = "order_no + line".to_owned();
            now.stored_key[1] = "#2: plain".to_owned();
        };
        assert_eq!(difference(key).unwrap(), changed(What::Key, "order_no + 'a#1'", "order_no + line"));
        let fingerprint = |now: &mut Entry| {
            now.fingerprint = "body - body.at".to_owned();
            now.stored_fingerprint = "#2 - #2.at".to_owned();
        };
        assert_eq!(difference(fingerprint).unwrap(), changed(What::Fingerprint, "body", "body - body.at"));
    }

    #[test]
    fn a_parameter_may_be_renamed_or_moved() {
        let renamed = |now: &mut Entry| {
            now.key = "number + 'a#1'".to_owned();
            now.fingerprint = "payload".to_owned();
        };
        assert_eq!(difference(renamed), None);
        let moved = |now: &mut Entry| {
            now.stored_key[0] = "#11: plain".to_owned();
            now.stored_fingerprint = "#12".to_owned();
        };
        assert_eq!(difference(moved), None);
        let both = |now: &mut Entry| {
            renamed(now);
            moved(now);
        };
        assert_eq!(difference(both).unwrap().0, What::Key);
    }

    #[test]
    fn a_type_that_may_be_stored_otherwise_is_a_difference() {
        let ty = |now: &mut Entry| now.stored_key[0] = "#1: Uuid".to_owned();
        assert_eq!(difference(ty).unwrap(), changed(What::KeyType, "plain", "Uuid"));
        let text = |now: &mut Entry| now.stored_key[1] = "'a#2'".to_owned();
        assert!(difference(text).is_some());
    }

    #[test]
    fn a_definition_that_both_know_must_be_the_same() {
        let fields = |now: &mut Entry| now.result_types[1] = "Order 03".to_owned();
        assert_eq!(difference(fields).unwrap(), changed(What::Definition, "Order", "Order"));
        let unseen = |now: &mut Entry| drop(now.result_types.remove(1));
        assert_eq!(difference(unseen), None);
    }
}
