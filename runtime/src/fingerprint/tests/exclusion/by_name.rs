//! Fields of which the serializer never sees the original.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use super::*;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that `serialize_with` asks for")]
pub(super) fn as_text<S: Serializer>(value: &u64, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

#[test]
fn the_entry_of_a_map() {
    let map = |trace: &str, amount: &str| {
        HashMap::from([("trace".to_owned(), trace.to_owned()), ("amount".to_owned(), amount.to_owned())])
    };
    let exclusion = |map: &HashMap<String, String>| Exclusion::optional(map.get("trace"), &["trace"]);
    assert_excluded(&map("a", "1"), &map("b", "1"), exclusion);
    assert_counts(&map("a", "1"), &map("a", "2"), exclusion);
}

#[test]
fn the_entry_of_a_flattened_map() {
    #[derive(Serialize)]
    struct Flat {
        amount: u64,
        #[serde(flatten)]
        rest: HashMap<String, serde_json::Value>,
    }
    let flat = |amount, trace: &str, other: &str| Flat {
        amount,
        rest: HashMap::from([("trace".to_owned(), trace.into()), ("other".to_owned(), other.into())]),
    };
    let exclusion = |body: &Flat| Exclusion::optional(body.rest.get("trace"), &["rest", "trace"]);
    assert_excluded(&flat(1, "a", "x"), &flat(1, "b", "x"), exclusion);
    assert_counts(&flat(1, "a", "x"), &flat(1, "a", "y"), exclusion);
    assert_counts(&flat(1, "a", "x"), &flat(2, "a", "x"), exclusion);
}

#[test]
fn a_field_of_the_same_name_beside_a_flattened_map_counts() {
    #[derive(Serialize)]
    struct Flat<'a> {
        trace: &'a str,
        #[serde(flatten)]
        rest: HashMap<String, String>,
    }
    let flat = |trace| Flat { trace, rest: HashMap::new() };
    let elsewhere = String::new();
    let exclusion = |_: &Flat<'_>| Exclusion::new(&elsewhere, &["rest", "trace"]);
    assert_counts(&flat("a"), &flat("b"), exclusion);
}

#[test]
fn a_field_that_is_serialized_by_a_function() {
    #[derive(Serialize)]
    struct Inner {
        #[serde(serialize_with = "as_text")]
        sent_at: u64,
        amount: u64,
    }
    #[derive(Serialize)]
    struct Outer {
        amount: u64,
        inner: Inner,
        boxed: Box<Inner>,
        #[serde(rename = "other")]
        renamed: Inner,
    }
    let inner = |sent_at| Inner { sent_at, amount: 1 };
    let outer = |sent_at, boxed, renamed| Outer {
        amount: 1,
        inner: inner(sent_at),
        boxed: Box::new(inner(boxed)),
        renamed: inner(renamed),
    };
    let direct = |body: &Outer| Exclusion::new(&body.inner.sent_at, &["inner", "sent_at"]);
    assert_excluded(&inner(1), &inner(9), |body| Exclusion::new(&body.sent_at, &["sent_at"]));
    assert_excluded(&outer(1, 2, 3), &outer(9, 2, 3), direct);
    assert_excluded(&outer(1, 2, 3), &outer(1, 9, 3), |body| {
        Exclusion::new(&body.boxed.sent_at, &["boxed", "sent_at"])
    });
    assert_excluded(&outer(1, 2, 3), &outer(1, 2, 9), |body| {
        Exclusion::new(&body.renamed.sent_at, &["renamed", "sent_at"])
    });
    assert_counts(&outer(1, 2, 3), &outer(1, 9, 3), direct);
}

#[test]
fn a_field_that_is_serialized_by_a_function_beside_a_flattened_one() {
    #[derive(Serialize)]
    struct Flat {
        #[serde(serialize_with = "as_text")]
        sent_at: u64,
        #[serde(flatten)]
        rest: HashMap<&'static str, u64>,
    }
    let flat = |sent_at, rest| Flat { sent_at, rest: HashMap::from([("k", rest)]) };
    let exclusion = |body: &Flat| Exclusion::new(&body.sent_at, &["sent_at"]);
    assert_excluded(&flat(1, 1), &flat(9, 1), exclusion);
    assert_counts(&flat(1, 1), &flat(1, 9), exclusion);
}

#[test]
fn a_field_of_a_flattened_struct_that_is_serialized_by_a_function() {
    #[derive(Serialize)]
    struct Stamp {
        #[serde(serialize_with = "as_text")]
        sent_at: u64,
        client: u64,
    }
    #[derive(Serialize)]
    struct Flat {
        #[serde(flatten)]
        meta: Stamp,
        amount: u64,
    }
    #[derive(Serialize)]
    struct Ambiguous {
        #[serde(serialize_with = "as_text")]
        sent_at: u64,
        #[serde(flatten)]
        meta: Renamed,
    }
    #[derive(Serialize)]
    struct Renamed {
        #[serde(serialize_with = "as_text", rename = "meta_sent_at")]
        sent_at: u64,
    }
    let flat = |sent_at, client| Flat { meta: Stamp { sent_at, client }, amount: 1 };
    let exclusion = |body: &Flat| Exclusion::new(&body.meta.sent_at, &["meta", "sent_at"]);
    assert_excluded(&flat(1, 1), &flat(9, 1), exclusion);
    assert_counts(&flat(1, 1), &flat(1, 9), exclusion);
    assert_excluded(&Box::new(flat(1, 1)), &Box::new(flat(9, 1)), |body| exclusion(body));
    let ambiguous = Ambiguous { sent_at: 1, meta: Renamed { sent_at: 2 } };
    let exclusion = Exclusion::new(&ambiguous.meta.sent_at, &["meta", "sent_at"]);
    assert_eq!(fingerprint_except(&ambiguous, &[exclusion]), matched_nothing("meta.sent_at"));
}

#[test]
fn a_field_that_is_serialized_by_a_function_within_a_newtype() {
    #[derive(Serialize)]
    struct Stamp(#[serde(serialize_with = "as_text")] u64);
    #[derive(Serialize)]
    struct Pair {
        #[serde(serialize_with = "as_text")]
        sent_at: u64,
        amount: u64,
    }
    #[derive(Serialize)]
    struct Wrapped(Pair);
    #[derive(Serialize)]
    struct Holder {
        stamp: Box<Stamp>,
        wrapped: Wrapped,
    }
    let holder = |stamp, sent_at, amount| Holder {
        stamp: Box::new(Stamp(stamp)),
        wrapped: Wrapped(Pair { sent_at, amount }),
    };
    let stamp = |body: &Holder| Exclusion::new(&body.stamp.0, &["stamp", "0"]);
    let sent = |body: &Holder| Exclusion::new(&body.wrapped.0.sent_at, &["wrapped", "0", "sent_at"]);
    assert_excluded(&holder(1, 2, 3), &holder(9, 2, 3), stamp);
    assert_excluded(&holder(1, 2, 3), &holder(1, 9, 3), sent);
    assert_counts(&holder(1, 2, 3), &holder(1, 2, 9), sent);
}

#[test]
fn a_field_that_cannot_be_recognised_is_an_error() {
    #[derive(Serialize)]
    struct Hidden {
        #[serde(serialize_with = "as_text", rename = "ts")]
        sent_at: u64,
        #[serde(skip)]
        never: u64,
        amount: u64,
    }
    #[derive(Serialize)]
    struct Flat {
        #[serde(serialize_with = "as_text", rename = "ts")]
        sent_at: u64,
        #[serde(flatten)]
        rest: HashMap<&'static str, u64>,
    }
    #[derive(Serialize)]
    struct Outer {
        hidden: Hidden,
    }
    let hidden = Hidden { sent_at: 1, never: 2, amount: 3 };
    let except = |place: &u64, names: Names| fingerprint_except(&hidden, &[Exclusion::new(place, names)]);
    assert_eq!(except(&hidden.sent_at, &["sent_at"]), matched_nothing("sent_at"));
    assert_eq!(except(&hidden.never, &["never"]), matched_nothing("never"));
    assert_eq!(except(&1, &["elsewhere"]), matched_nothing("elsewhere"));
    let flat = Flat { sent_at: 1, rest: HashMap::from([("k", 1)]) };
    let exclusion = Exclusion::new(&flat.sent_at, &["sent_at"]);
    assert_eq!(fingerprint_except(&flat, &[exclusion]), matched_nothing("sent_at"));
    let outer = Outer { hidden };
    let exclusion = Exclusion::new(&outer.hidden.sent_at, &["hidden", "sent_at"]);
    assert_eq!(fingerprint_except(&outer, &[exclusion]), matched_nothing("hidden.sent_at"));
    let hidden = outer.hidden;
    let exclusions =
        [Exclusion::new(&hidden.amount, &["amount"]), Exclusion::new(&hidden.sent_at, &["sent_at"])];
    assert_eq!(fingerprint_except(&hidden, &exclusions), matched_nothing("sent_at"));
}

#[test]
fn the_first_of_two_values_keeps_its_place_when_the_second_is_looked_at_by_name() {
    #[derive(Serialize)]
    struct Hidden {
        #[serde(serialize_with = "as_text")]
        sent_at: u64,
        amount: u64,
    }
    let pair = |text: &str, sent_at| {
        let hidden = Hidden { sent_at, amount: 1 };
        let mut builder = FingerprintBuilder::new();
        builder.include(text, &[])?;
        builder.include(&hidden, &[Exclusion::new(&hidden.sent_at, &["sent_at"])])?;
        Result::Ok(builder.finish())
    };
    assert!(pair("a", 1).is_ok());
    assert_eq!(pair("a", 1), pair("a", 9));
    assert_ne!(pair("a", 1), pair("b", 1));
}

#[test]
fn an_element_of_a_tuple_that_is_serialized_by_a_function() {
    #[derive(Serialize)]
    struct Sent(
        #[serde(serialize_with = "as_text")] u64,
        #[serde(serialize_with = "as_text")] u64,
        #[serde(serialize_with = "as_text")] u64,
    );
    let last = |sent: &Sent| Exclusion::new(&sent.2, &["2"]);
    assert_excluded(&Sent(1, 2, 3), &Sent(1, 2, 9), last);
    assert_counts(&Sent(1, 2, 3), &Sent(1, 9, 3), last);
    assert_counts(&Sent(1, 2, 3), &Sent(9, 2, 3), last);
    let middle = |sent: &Sent| Exclusion::new(&sent.1, &["1"]);
    assert_excluded(&Sent(1, 2, 3), &Sent(1, 9, 3), middle);
    assert_counts(&Sent(1, 2, 3), &Sent(1, 2, 9), middle);
}

#[test]
fn a_field_below_flattened_structs_that_is_serialized_by_a_function() {
    #[derive(Serialize)]
    struct Stamp {
        #[serde(serialize_with = "as_text")]
        sent_at: u64,
        client: u64,
    }
    // Behind a pointer, so that no address tells the way.
    #[derive(Serialize)]
    struct Inner {
        stamp: Box<Stamp>,
        other: Box<Stamp>,
    }
    #[derive(Serialize)]
    struct Middle {
        #[serde(flatten)]
        inner: Box<Inner>,
        sent_at: u64,
    }
    #[derive(Serialize)]
    struct Outer {
        #[serde(flatten)]
        middle: Box<Middle>,
        named: Box<Middle>,
    }
    let stamp = |sent_at| Box::new(Stamp { sent_at, client: 1 });
    let middle = |[a, b, c]: [u64; 3]| {
        Box::new(Middle { inner: Box::new(Inner { stamp: stamp(a), other: stamp(b) }), sent_at: c })
    };
    let outer = |flat, named| Outer { middle: middle(flat), named: middle(named) };
    let before = || outer([1, 2, 3], [4, 5, 6]);
    let twice = |body: &Outer| {
        Exclusion::new(&body.middle.inner.stamp.sent_at, &["middle", "inner", "stamp", "sent_at"])
    };
    assert_excluded(&before(), &outer([9, 2, 3], [4, 5, 6]), twice);
    for other in [[1, 9, 3], [1, 2, 9]] {
        assert_counts(&before(), &outer(other, [4, 5, 6]), twice);
    }
    for other in [[9, 5, 6], [4, 9, 6], [4, 5, 9]] {
        assert_counts(&before(), &outer([1, 2, 3], other), twice);
    }
    let once = |body: &Outer| {
        Exclusion::new(&body.named.inner.other.sent_at, &["named", "inner", "other", "sent_at"])
    };
    assert_excluded(&before(), &outer([1, 2, 3], [4, 9, 6]), once);
    for other in [[9, 5, 6], [4, 5, 9]] {
        assert_counts(&before(), &outer([1, 2, 3], other), once);
    }
    for other in [[9, 2, 3], [1, 9, 3], [1, 2, 9]] {
        assert_counts(&before(), &outer(other, [4, 5, 6]), once);
    }
}
