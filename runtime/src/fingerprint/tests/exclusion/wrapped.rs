//! Fields in newtypes, transparent structs and smart pointers.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::*;

#[test]
fn a_newtype_and_what_it_holds() {
    #[derive(Serialize)]
    struct Plain(u64);
    #[derive(Serialize)]
    #[serde(transparent)]
    struct Transparent {
        inner: u64,
    }
    #[derive(Serialize)]
    struct Holder {
        plain: Plain,
        transparent: Transparent,
        amount: u64,
    }
    let holder = |plain, transparent, amount| Holder {
        plain: Plain(plain),
        transparent: Transparent { inner: transparent },
        amount,
    };
    assert_excluded(&holder(1, 2, 3), &holder(9, 2, 3), |body| Exclusion::new(&body.plain, &["plain"]));
    assert_excluded(&holder(1, 2, 3), &holder(9, 2, 3), |body| {
        Exclusion::new(&body.plain.0, &["plain", "0"])
    });
    assert_excluded(&holder(1, 2, 3), &holder(1, 9, 3), |body| {
        Exclusion::new(&body.transparent, &["transparent"])
    });
    assert_excluded(&holder(1, 2, 3), &holder(1, 9, 3), |body| {
        Exclusion::new(&body.transparent.inner, &["transparent", "inner"])
    });
    assert_counts(&holder(1, 2, 3), &holder(1, 2, 9), |body| Exclusion::new(&body.plain, &["plain"]));
}

/// Serializes as serde does an `Arc` when its feature `rc` is on.
struct Shared<T>(Arc<T>);

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        (*self.0).serialize(serializer)
    }
}

#[test]
fn a_field_behind_a_smart_pointer() {
    #[derive(Serialize)]
    struct Pointers {
        boxed: Box<Meta>,
        shared: Shared<Meta>,
        amount: u64,
    }
    let pointers = |boxed, shared, amount| Pointers {
        boxed: Box::new(Meta { sent_at: boxed, client: "web" }),
        shared: Shared(Arc::new(Meta { sent_at: shared, client: "web" })),
        amount,
    };
    let boxed = |body: &Pointers| Exclusion::new(&body.boxed.sent_at, &["boxed", "sent_at"]);
    let shared = |body: &Pointers| Exclusion::new(&body.shared.0.sent_at, &["shared", "0", "sent_at"]);
    assert_excluded(&pointers(1, 2, 3), &pointers(9, 2, 3), boxed);
    assert_excluded(&pointers(1, 2, 3), &pointers(1, 9, 3), shared);
    assert_excluded(&pointers(1, 2, 3), &pointers(9, 2, 3), |body| Exclusion::new(&body.boxed, &["boxed"]));
    assert_excluded(&pointers(1, 2, 3), &pointers(9, 2, 3), |body| Exclusion::new(&*body.boxed, &["boxed"]));
    assert_counts(&pointers(1, 2, 3), &pointers(1, 9, 3), boxed);
}

#[test]
fn a_shared_value() {
    let shared = |sent_at| Shared(Arc::new(Meta { sent_at, client: "web" }));
    assert_excluded(&shared(1), &shared(9), |body| Exclusion::new(&body.0.sent_at, &["sent_at"]));
}

#[test]
fn a_long_value_within_a_transparent_struct() {
    #[derive(Serialize)]
    #[serde(transparent)]
    struct Transparent {
        inner: String,
    }
    #[derive(Serialize)]
    struct Holder {
        a: String,
        transparent: Transparent,
    }
    let holder = |a: &str, inner: &str| Holder {
        a: a.repeat(5000),
        transparent: Transparent { inner: inner.repeat(10_000) },
    };
    let exclusion = |body: &Holder| Exclusion::new(&body.transparent.inner, &["transparent", "inner"]);
    assert_excluded(&holder("a", "b"), &holder("a", "c"), exclusion);
    assert_counts(&holder("a", "b"), &holder("b", "b"), exclusion);
}
