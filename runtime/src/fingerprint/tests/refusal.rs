//! Values without a fingerprint.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::ser::{Error as _, SerializeMap as _, SerializeStruct as _};
use serde::{Serialize, Serializer};
use serde_json::json;

use super::*;

#[test]
fn nan_is_refused_wherever_it_is() {
    assert_eq!(fingerprint(&f64::NAN), Err(FingerprintError::NotANumber));
    assert_eq!(fingerprint(&-f32::NAN), Err(FingerprintError::NotANumber));
    assert_eq!(fingerprint(&vec![Some(f64::NAN)]), Err(FingerprintError::NotANumber));
    assert_eq!(fingerprint(&HashMap::from([("a", (1, f64::NAN))])), Err(FingerprintError::NotANumber));
    assert_eq!(typed_digest(&f64::NAN), Err(FingerprintError::NotANumber));
}

#[test]
fn keys_without_a_text_are_refused() {
    for refused in [
        fingerprint(&BTreeMap::from([((1, 2), 1)])),
        fingerprint(&BTreeMap::from([(Some(1), 1)])),
        fingerprint(&BTreeMap::from([((), 1)])),
        fingerprint(&BTreeMap::from([(vec![1], 1)])),
    ] {
        assert_eq!(refused, Err(FingerprintError::UnsupportedMapKey));
    }
}

#[test]
fn a_refusal_names_the_type_and_never_quotes_the_value() {
    struct Secret(&'static str);
    impl Serialize for Secret {
        fn serialize<S: Serializer>(&self, _: S) -> std::result::Result<S::Ok, S::Error> {
            Err(S::Error::custom(format_args!("cannot serialize {}", self.0)))
        }
    }
    let error = fingerprint(&json!({ "a": 1 })).and_then(|_| fingerprint(&vec![Some(Secret("4111 1111"))]));
    let text = error.map_or_else(|error| format!("{error} {error:?}"), |_| String::new());
    assert!(text.contains("::Secret`"), "{text}");
    assert!(!text.contains("4111"), "{text}");
}

#[test]
fn an_error_that_is_swallowed_still_counts() {
    struct Careless;
    impl Serialize for Careless {
        fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
            let mut fields = serializer.serialize_struct("Careless", 2)?;
            let _ = fields.serialize_field("a", &HashMap::from([("x", f64::NAN)]));
            fields.serialize_field("b", &1)?;
            fields.end()
        }
    }
    assert_eq!(fingerprint(&Careless), Err(FingerprintError::NotANumber));
}

#[test]
fn a_key_without_a_value_is_refused_and_not_a_panic() {
    struct Calls(&'static [bool]);
    impl Serialize for Calls {
        fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            for key in self.0 {
                if *key {
                    map.serialize_key("k")?;
                } else {
                    map.serialize_value("v")?;
                }
            }
            map.end()
        }
    }
    assert!(fingerprint(&Calls(&[true, false, true, false])).is_ok());
    for calls in [&[true][..], &[false], &[true, true, false], &[true, false, false]] {
        assert!(matches!(fingerprint(&Calls(calls)), Err(FingerprintError::Refused { .. })), "{calls:?}");
    }
}

#[test]
fn a_failing_display_is_an_error_and_not_a_panic() {
    struct Broken;
    impl fmt::Display for Broken {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Err(fmt::Error)
        }
    }
    impl Serialize for Broken {
        fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }
    assert!(matches!(fingerprint(&Broken), Err(FingerprintError::Refused { .. })));
}

#[test]
fn a_value_that_is_refused_leaves_the_fingerprint_as_it_was() {
    let mut builder = FingerprintBuilder::new();
    let steps = [
        builder.include("a", &[]).is_ok(),
        builder.include(&json!({ "x": vec!["y".repeat(9000)] }), &[]).is_ok(),
        builder.include(&("x".repeat(9000), HashMap::from([("a", vec![vec![f64::NAN]])])), &[]).is_ok(),
        builder.include(&2, &[]).is_ok(),
    ];
    assert_eq!(steps, [true, true, false, true]);
    let mut expected = FingerprintBuilder::new();
    assert_eq!(expected.include("a", &[]), Ok(()));
    assert_eq!(expected.include(&json!({ "x": vec!["y".repeat(9000)] }), &[]), Ok(()));
    assert_eq!(expected.include(&2, &[]), Ok(()));
    assert_eq!(builder.finish(), expected.finish());
}

#[test]
fn a_key_that_carries_a_value_is_refused() {
    #[derive(Serialize, PartialEq, Eq, Hash)]
    enum Key {
        Plain,
        Carrying(u8),
    }
    assert!(fingerprint(&HashMap::from([(Key::Plain, 1)])).is_ok());
    assert_eq!(
        fingerprint(&HashMap::from([(Key::Carrying(1), 1)])),
        Err(FingerprintError::UnsupportedMapKey)
    );
}
