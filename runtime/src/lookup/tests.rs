#![expect(clippy::needless_borrows_for_generic_args, reason = "references are what is tested")]

use serde_json::json;

use super::*;
use crate::key::KeyBuilder;

fn written<P: KeyPart + ?Sized>(part: &P) -> Result<String, PartError> {
    let mut builder = KeyBuilder::new("op");
    builder.part(part)?;
    Ok(builder.finish(None).as_str()["op:".len()..].to_owned())
}

fn found<P: KeyPart>(part: Option<P>) -> Option<Result<String, PartError>> {
    part.map(|part| written(&part))
}

#[expect(clippy::unnecessary_wraps, reason = "the form of `found`")]
fn ok(text: &str) -> Option<Result<String, PartError>> {
    Some(Ok(text.to_owned()))
}

#[test]
fn present_sees_through_references_and_smart_pointers() {
    let mut some = Some(7_u8);
    assert_eq!(present(&some), Some(&7));
    assert_eq!(present(&&some), Some(&7));
    assert_eq!(present(&&mut some), Some(&7));
    assert_eq!(present(&Box::new(some)), Some(&7));
    assert_eq!(present(&Rc::new(Arc::new(some))), Some(&7));
    assert_eq!(present(&None::<String>), None);
}

#[test]
fn present_steps_through_nested_options_one_at_a_time() {
    let nested = Some(Some("a"));
    assert_eq!(present(&nested).and_then(|inner| present(inner)), Some(&"a"));
    assert_eq!(found(present(&Some("a"))), ok("a"));
}

#[test]
fn maps_are_looked_up_whatever_holds_their_keys() {
    let owned = HashMap::from([("a".to_owned(), 1)]);
    assert_eq!(lookup(&owned, "a"), Some(&1));
    assert_eq!(lookup(&owned, "b"), None);
    let borrowed = HashMap::from([("a", 1)]);
    assert_eq!(lookup(&borrowed, "a"), Some(&1));
    let sorted = BTreeMap::from([(Box::<str>::from("a"), "x".to_owned())]);
    assert_eq!(found(lookup(&sorted, "a")), ok("x"));
    let shared = BTreeMap::from([(Arc::<str>::from("a"), 1)]);
    assert_eq!(lookup(&shared, "a"), Some(&1));
}

#[test]
fn lookups_see_through_references_and_smart_pointers() {
    let mut map = HashMap::from([("a", 1)]);
    assert_eq!(lookup(&&map, "a"), Some(&1));
    assert_eq!(lookup(&&&map, "a"), Some(&1));
    assert_eq!(lookup(&&mut map, "a"), Some(&1));
    assert_eq!(lookup(&Arc::new(map.clone()), "a"), Some(&1));
    assert_eq!(lookup(&&Box::new(Rc::new(map)), "a"), Some(&1));
    assert_eq!(found(lookup(&Arc::new(json!({ "a": "x" })), "a")), ok("x"));
}

#[test]
fn an_option_in_a_map_and_a_map_in_an_option() {
    let map = HashMap::from([("a", Some(1)), ("b", None)]);
    assert_eq!(lookup(&map, "a").and_then(|value| present(value)), Some(&1));
    assert_eq!(lookup(&map, "b").and_then(|value| present(value)), None);
    let map = Some(HashMap::from([("a", 1)]));
    assert_eq!(present(&map).and_then(|map| lookup(map, "a")), Some(&1));
}

#[test]
fn json_scalars_are_parts() {
    let value = json!({ "text": "a#b", "yes": true, "id": u64::MAX, "negative": i64::MIN, "zero": 0 });
    assert_eq!(found(lookup(&value, "text")), ok("a%23b"));
    assert_eq!(found(lookup(&value, "yes")), ok("true"));
    assert_eq!(found(lookup(&value, "id")), ok("18446744073709551615"));
    assert_eq!(found(lookup(&value, "negative")), ok("-9223372036854775808"));
    assert_eq!(found(lookup(&value, "zero")), ok("0"));
    let object = value.as_object().cloned().unwrap_or_default();
    assert_eq!(found(lookup(&object, "yes")), ok("true"));
}

#[test]
fn json_null_and_absent_members_are_missing() {
    let value = json!({ "null": null, "empty": "" });
    assert_eq!(found(lookup(&value, "null")), None);
    assert_eq!(found(lookup(&value, "absent")), None);
    assert_eq!(found(lookup(&value, "empty")), Some(Err(PartError::Empty)));
    assert_eq!(found(lookup(&json!(["a"]), "0")), None);
    assert_eq!(found(lookup(&json!("text"), "text")), None);
}

#[test]
fn json_floats_arrays_and_objects_are_unfit() {
    let value = json!({ "float": 1.5, "whole": 1.0, "array": ["a"], "object": {} });
    for name in ["float", "whole", "array", "object"] {
        assert!(matches!(found(lookup(&value, name)), Some(Err(PartError::Unfit(_)))), "{name}");
    }
}

#[test]
fn json_objects_are_looked_up_in_turn() {
    let value = json!({ "a": { "b": { "c": 7 } } });
    let inner = lookup(&value, "a").and_then(|value| lookup(value, "b"));
    assert_eq!(found(inner.and_then(|value| lookup(value, "c"))), ok("7"));
    let inner = lookup(&value, "a");
    assert_eq!(found(inner.as_ref().and_then(|value| lookup(value, "absent"))), None);
}

#[test]
fn found_values_do_not_show_in_debug_output() {
    let value = json!({ "a": "secret" });
    assert!(!format!("{:?}", lookup(&value, "a")).contains("secret"));
}

#[cfg(feature = "http")]
mod headers {
    use http::{HeaderMap, HeaderName, HeaderValue};

    use super::*;

    fn headers(lines: &[(&'static str, &[u8])]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            let value = HeaderValue::from_bytes(value);
            headers
                .append(HeaderName::from_static(name), value.unwrap_or(HeaderValue::from_static("refused")));
        }
        headers
    }

    #[test]
    fn names_are_the_same_in_any_case() {
        let headers = headers(&[("idempotency-key", b"k#1")]);
        assert_eq!(found(lookup(&headers, "Idempotency-Key")), ok("k%231"));
        assert_eq!(found(lookup(&&headers, "idempotency-key")), ok("k%231"));
        assert_eq!(found(lookup(&headers, "other")), None);
        assert_eq!(found(lookup(&headers, "not a header name")), None);
    }

    #[test]
    fn a_repeated_header_is_unfit() {
        let headers = headers(&[("k", b"a"), ("k", b"b")]);
        assert!(matches!(found(lookup(&headers, "k")), Some(Err(PartError::Unfit(_)))));
    }

    #[test]
    fn a_header_that_is_not_visible_ascii_is_unfit() {
        let headers = headers(&[("k", b"caf\xc3\xa9"), ("empty", b"")]);
        assert!(matches!(found(lookup(&headers, "k")), Some(Err(PartError::Unfit(_)))));
        assert_eq!(found(lookup(&headers, "empty")), Some(Err(PartError::Empty)));
        assert!(!format!("{:?}", lookup(&headers, "k")).contains("caf"));
    }
}
