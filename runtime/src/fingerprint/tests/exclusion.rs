//! Exclusions: each test compares the fingerprints of two values that differ in the excluded field only, and makes sure
//! that every other field still counts.

use std::collections::HashMap;

use serde::Serialize;

use super::*;

mod by_name;
mod skipped;
mod wrapped;

type Names = &'static [&'static str];

/// Asserts that `one` and `other` differ, and that they do not without the field.
#[track_caller]
fn assert_excluded<T: Serialize>(one: &T, other: &T, exclusion: impl Fn(&T) -> Exclusion) {
    assert_ne!(fingerprint(one), fingerprint(other), "the two must differ in the excluded field");
    let first = fingerprint_except(one, &[exclusion(one)]);
    assert!(first.is_ok(), "{first:?}");
    assert_eq!(first, fingerprint_except(other, &[exclusion(other)]));
}

/// Asserts that `one` and `other`, which differ elsewhere, still differ.
#[track_caller]
fn assert_counts<T: Serialize>(one: &T, other: &T, exclusion: impl Fn(&T) -> Exclusion) {
    let first = fingerprint_except(one, &[exclusion(one)]);
    assert!(first.is_ok(), "{first:?}");
    assert_ne!(first, fingerprint_except(other, &[exclusion(other)]));
}

fn matched_nothing(path: &str) -> Result<Fingerprint> {
    Err(FingerprintError::ExclusionMatchedNothing { path: path.to_owned() })
}

#[derive(Serialize, Clone)]
struct Meta {
    sent_at: u64,
    client: &'static str,
}

#[derive(Serialize, Clone)]
struct Body {
    first: u64,
    amount: u64,
    meta: Meta,
}

fn body() -> Body {
    Body { first: 1, amount: 2, meta: Meta { sent_at: 3, client: "web" } }
}

#[test]
fn the_first_field() {
    let exclusion = |body: &Body| Exclusion::new(&body.first, &["first"]);
    assert_excluded(&body(), &Body { first: 9, ..body() }, exclusion);
    assert_counts(&body(), &Body { amount: 9, ..body() }, exclusion);
}

#[test]
fn a_nested_field() {
    let exclusion = |body: &Body| Exclusion::new(&body.meta.sent_at, &["meta", "sent_at"]);
    assert_excluded(&body(), &Body { meta: Meta { sent_at: 9, client: "web" }, ..body() }, exclusion);
    assert_counts(&body(), &Body { meta: Meta { sent_at: 3, client: "app" }, ..body() }, exclusion);
}

#[test]
fn a_whole_struct() {
    let exclusion = |body: &Body| Exclusion::new(&body.meta, &["meta"]);
    assert_excluded(&body(), &Body { meta: Meta { sent_at: 9, client: "app" }, ..body() }, exclusion);
    assert_counts(&body(), &Body { first: 9, ..body() }, exclusion);
}

#[test]
fn an_excluded_field_equals_an_absent_one() {
    #[derive(Serialize)]
    struct Without {
        amount: u64,
        meta: Meta,
    }
    let body = body();
    let without = Without { amount: 2, meta: body.meta.clone() };
    assert_eq!(fingerprint_except(&body, &[Exclusion::new(&body.first, &["first"])]), fingerprint(&without));
}

#[test]
fn several_fields_and_one_within_another() {
    let all = |body: &Body| {
        [
            Exclusion::new(&body.first, &["first"]),
            Exclusion::new(&body.meta, &["meta"]),
            Exclusion::new(&body.meta.sent_at, &["meta", "sent_at"]),
        ]
    };
    let (one, other) = (body(), Body { first: 8, meta: Meta { sent_at: 9, client: "app" }, ..body() });
    let first = fingerprint_except(&one, &all(&one));
    assert!(first.is_ok(), "{first:?}");
    assert_eq!(first, fingerprint_except(&other, &all(&other)));
}

#[test]
fn the_whole_value() {
    let (one, other) = (body(), Body { first: 9, ..body() });
    let except = |body: &Body| fingerprint_except(body, &[Exclusion::new(body, &[])]);
    assert_eq!(except(&one), except(&other));
}

#[test]
fn renamed_fields() {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Renamed {
        #[serde(rename = "ts")]
        sent_at: u64,
        created_at: u64,
        amount: u64,
    }
    let renamed = |sent_at, created_at, amount| Renamed { sent_at, created_at, amount };
    let sent = |body: &Renamed| Exclusion::new(&body.sent_at, &["sent_at"]);
    let created = |body: &Renamed| Exclusion::new(&body.created_at, &["created_at"]);
    assert_excluded(&renamed(1, 2, 3), &renamed(9, 2, 3), sent);
    assert_excluded(&renamed(1, 2, 3), &renamed(1, 9, 3), created);
    assert_counts(&renamed(1, 2, 3), &renamed(1, 9, 3), sent);
}

#[test]
fn a_field_of_a_flattened_struct_and_a_flattened_struct_as_a_whole() {
    #[derive(Serialize)]
    struct Flat {
        amount: u64,
        #[serde(flatten)]
        meta: Meta,
        #[serde(flatten)]
        rest: HashMap<String, u64>,
    }
    let flat = |sent_at, client| Flat {
        amount: 1,
        meta: Meta { sent_at, client },
        rest: HashMap::from([("k".to_owned(), 1)]),
    };
    let field = |body: &Flat| Exclusion::new(&body.meta.sent_at, &["meta", "sent_at"]);
    assert_excluded(&flat(1, "web"), &flat(9, "web"), field);
    assert_counts(&flat(1, "web"), &flat(1, "app"), field);
    let whole = |body: &Flat| Exclusion::new(&body.meta, &["meta"]);
    assert_excluded(&flat(1, "web"), &flat(9, "app"), whole);
}

#[test]
fn a_flattened_struct_with_a_single_field() {
    #[derive(Serialize)]
    struct Single {
        sent_at: u64,
    }
    #[derive(Serialize)]
    struct Flat {
        amount: u64,
        #[serde(flatten)]
        meta: Single,
    }
    let flat = |sent_at, amount| Flat { amount, meta: Single { sent_at } };
    let exclusion = |body: &Flat| Exclusion::new(&body.meta, &["meta"]);
    assert_excluded(&flat(1, 2), &flat(9, 2), exclusion);
    assert_counts(&flat(1, 2), &flat(1, 9), exclusion);
}

#[test]
fn a_field_of_a_variant() {
    #[derive(Serialize)]
    #[serde(tag = "type")]
    enum Internal {
        Order(Body),
    }
    #[derive(Serialize)]
    #[serde(tag = "type", content = "content")]
    enum Adjacent {
        Order(Body),
        Named { body: Body },
    }
    #[derive(Serialize)]
    enum External {
        Order(Body),
        Named { body: Body },
    }
    let changed = || Body { first: 9, ..body() };
    let first = |body: &Body| Exclusion::new(&body.first, &["first"]);
    assert_excluded(&Internal::Order(body()), &Internal::Order(changed()), |Internal::Order(body)| {
        first(body)
    });
    assert_excluded(&External::Order(body()), &External::Order(changed()), |value| match value {
        External::Order(body) | External::Named { body } => first(body),
    });
    assert_excluded(&External::Named { body: body() }, &External::Named { body: changed() }, |value| {
        match value {
            External::Order(body) | External::Named { body } => first(body),
        }
    });
    assert_excluded(&Adjacent::Order(body()), &Adjacent::Order(changed()), |value| match value {
        Adjacent::Order(body) | Adjacent::Named { body } => first(body),
    });
    assert_excluded(&Adjacent::Named { body: body() }, &Adjacent::Named { body: changed() }, |value| {
        match value {
            Adjacent::Order(body) | Adjacent::Named { body } => first(body),
        }
    });
}

#[test]
fn the_element_of_a_tuple_keeps_its_place() {
    #[derive(Serialize)]
    struct Pair(u64, Meta);
    let pair = |first, sent_at| Pair(first, Meta { sent_at, client: "web" });
    assert_excluded(&pair(1, 2), &pair(9, 2), |body| Exclusion::new(&body.0, &["0"]));
    assert_excluded(&pair(1, 2), &pair(1, 9), |body| Exclusion::new(&body.1.sent_at, &["1", "sent_at"]));
    let value = pair(1, 2);
    let excluded = fingerprint_except(&value, &[Exclusion::new(&value.0, &["0"])]);
    assert_eq!(excluded, fingerprint(&((), &value.1)));
}

#[test]
fn a_field_within_an_option() {
    #[derive(Serialize)]
    struct Outer {
        amount: u64,
        meta: Option<Meta>,
        stamp: Option<u64>,
    }
    let outer = |meta: Option<u64>, stamp| Outer {
        amount: 1,
        meta: meta.map(|sent_at| Meta { sent_at, client: "web" }),
        stamp,
    };
    let field = |body: &Outer| {
        Exclusion::optional(body.meta.as_ref().map(|meta| &meta.sent_at), &["meta", "sent_at"])
    };
    assert_excluded(&outer(Some(1), None), &outer(Some(9), None), field);
    assert_counts(&outer(Some(1), None), &outer(None, None), field);
    let stamp = |body: &Outer| Exclusion::optional(body.stamp.as_ref(), &["stamp"]);
    assert_excluded(&outer(None, Some(1)), &outer(None, Some(9)), stamp);
    assert_excluded(&outer(None, Some(1)), &outer(None, None), stamp);
    assert_excluded(&outer(None, Some(1)), &outer(None, None), |body| {
        Exclusion::new(&body.stamp, &["stamp"])
    });
}

#[test]
fn a_zero_sized_field() {
    #[derive(Serialize)]
    struct Marker {}
    #[derive(Serialize)]
    struct Marked {
        amount: u64,
        marker: Marker,
        other: [Marker; 0],
    }
    let marked = Marked { amount: 1, marker: Marker {}, other: [] };
    let except = fingerprint_except(&marked, &[Exclusion::new(&marked.marker, &["marker"])]);
    assert!(except.is_ok());
    assert_ne!(except, fingerprint(&marked));
    let except = fingerprint_except(&marked, &[Exclusion::new(&marked.amount, &["amount"])]);
    assert_eq!(except, fingerprint(&serde_json::json!({ "marker": {}, "other": [] })));
}

#[test]
fn an_entry_of_a_map_in_a_flattened_struct() {
    #[derive(Serialize)]
    struct Body {
        amount: u64,
        #[serde(flatten)]
        meta: Meta,
    }
    #[derive(Serialize)]
    struct Meta {
        nonces: HashMap<String, u64>,
    }
    let body = |n, m| Body {
        amount: 1,
        meta: Meta { nonces: HashMap::from([("n".to_owned(), n), ("m".to_owned(), m)]) },
    };
    let print = |body: &Body| {
        let exclusion = Exclusion::new(&body.meta.nonces["n"], &["meta", "nonces", "n"]);
        fingerprint_except(body, &[exclusion]).unwrap()
    };
    assert_eq!(print(&body(1, 2)), print(&body(9, 2)));
    assert_ne!(print(&body(1, 2)), print(&body(1, 9)));
}

#[test]
fn a_name_that_appears_is_not_supposed_to_be_flattened() {
    #[derive(Serialize)]
    struct Body {
        nonces: HashMap<String, u64>,
        meta: Meta,
        #[serde(flatten)]
        rest: HashMap<String, u64>,
    }
    #[derive(Serialize)]
    struct Meta {
        nonces: HashMap<String, u64>,
    }
    let body = |own, inner| Body {
        nonces: HashMap::from([("n".to_owned(), own)]),
        meta: Meta { nonces: HashMap::from([("n".to_owned(), inner)]) },
        rest: HashMap::new(),
    };
    let print = |body: &Body| {
        let exclusion = Exclusion::new(&body.meta.nonces["n"], &["meta", "nonces", "n"]);
        fingerprint_except(body, &[exclusion]).unwrap()
    };
    assert_eq!(print(&body(1, 2)), print(&body(1, 9)));
    assert_ne!(print(&body(1, 2)), print(&body(9, 2)));
}
